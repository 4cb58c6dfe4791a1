/**
 * Knows what answers on other hosts over the mesh: a site of a host that does not answer is left to central, which
 * reaches it by the host's own connection.
 */

import { once } from "node:events";
import { connect } from "node:net";
import type { SiteAddress, SiteRoute } from "@tijolo/protocol";

const connectMs = 2_000;
/** Connections that are tried at once. */
const triesAtOnce = 32;

export class FarHosts {
  /** Hosts whose programs are reached, and those whose server of static sites is, each by its {@link placeOf}. */
  readonly #answering = new Set<string>();

  /** True for a route of this machine, and for one whose place answered when it was tried last. */
  reaches(route: Pick<SiteRoute, "farHost" | "near">): boolean {
    const place = placeOf(route);
    return place === undefined || this.#answering.has(place);
  }

  /** Tries one site of each place. Returns true when a place has changed. */
  async look(routes: Iterable<SiteRoute>): Promise<boolean> {
    const sites = new Map<string, SiteAddress>();
    for (const route of routes) {
      const place = placeOf(route);
      if (place !== undefined && route.near !== null) sites.set(place, route.near);
    }
    const before = [...this.#answering].toSorted().join();
    for (const place of this.#answering) if (!sites.has(place)) this.#answering.delete(place);
    const left = [...sites];
    const work = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [place, site] = next;
        if (await answers(site)) this.#answering.add(place);
        else this.#answering.delete(place);
      }
    };
    await Promise.all(Array.from({ length: triesAtOnce }, work));
    return [...this.#answering].toSorted().join() !== before;
  }
}

/** Returns what is tried for a route; undefined for one of this machine. */
function placeOf({ farHost, near }: Pick<SiteRoute, "farHost" | "near">): string | undefined {
  if (farHost === undefined) return undefined;
  return near?.isStatic === true ? `${farHost} static` : farHost;
}

/**
 * True when something answers at the address. A program may also refuse, as it starts or stops: the way to its
 * host is open then. The server of static sites serves all of them, and an agent from before the mesh reached it
 * refuses for good.
 */
async function answers({ address, port, isStatic }: SiteAddress): Promise<boolean> {
  const socket = connect({ host: address, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(connectMs) });
    return true;
  } catch (error) {
    return !isStatic && (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
  } finally {
    socket.destroy();
  }
}
