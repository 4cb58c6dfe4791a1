/**
 * Knows which hosts answer over the mesh: a site of one that does not is left to central, which reaches it by
 * the host's own connection.
 */

import { once } from "node:events";
import { connect } from "node:net";
import type { SiteAddress, SiteRoute } from "@tijolo/protocol";

const connectMs = 2_000;
/** Hosts that are tried at once. */
const triesAtOnce = 32;

export class FarHosts {
  readonly #answering = new Set<string>();

  /** True for a route of this machine, and for one of a host that answered when it was tried last. */
  reaches({ farHost }: Pick<SiteRoute, "farHost">): boolean {
    return farHost === undefined || this.#answering.has(farHost);
  }

  /** Tries one site of each far host. Returns true when a host has changed. */
  async look(routes: Iterable<SiteRoute>): Promise<boolean> {
    const sites = new Map<string, SiteAddress>();
    for (const { farHost, near } of routes)
      if (farHost !== undefined && near !== null) sites.set(farHost, near);
    const before = [...this.#answering].toSorted().join();
    for (const hostId of this.#answering) if (!sites.has(hostId)) this.#answering.delete(hostId);
    const left = [...sites];
    const work = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [hostId, site] = next;
        if (await answers(site)) this.#answering.add(hostId);
        else this.#answering.delete(hostId);
      }
    };
    await Promise.all(Array.from({ length: triesAtOnce }, work));
    return [...this.#answering].toSorted().join() !== before;
  }
}

/** True when something answers at the address, also by refusing: then the way to its host is open. */
async function answers({ address, port }: SiteAddress): Promise<boolean> {
  const socket = connect({ host: address, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(connectMs) });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
  } finally {
    socket.destroy();
  }
}
