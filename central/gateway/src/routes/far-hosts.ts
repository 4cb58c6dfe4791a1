/**
 * Knows what answers on other hosts over the mesh: a site of a host that does not answer is left to central, which
 * reaches it by the host's own connection.
 */

import { once } from "node:events";
import { connect } from "node:net";
import type { SiteAddress, SiteRoute } from "@tijolo/protocol";

const connectMs = 2_000;
/** Targets that are tried at once. */
const probesAtOnce = 32;

export class FarHosts {
  /** Targets that answered when they were probed last. */
  readonly #answering = new Set<string>();

  /** True for a route of this machine, and for one whose target answered when it was probed last. */
  reaches(route: Pick<SiteRoute, "farHost" | "near">): boolean {
    const target = targetOf(route);
    return target === undefined || this.#answering.has(target);
  }

  /** Probes some sites of each target. Returns true when another set of them answers than before. */
  async probe(routes: Iterable<SiteRoute>): Promise<boolean> {
    const sites = new Map<string, SiteAddress[]>();
    for (const route of routes) {
      const target = targetOf(route);
      if (target === undefined || route.near === null) continue;
      const known = sites.get(target);
      if (known === undefined) sites.set(target, [route.near]);
      else known.push(route.near);
    }
    const before = [...this.#answering].toSorted().join();
    for (const target of this.#answering) if (!sites.has(target)) this.#answering.delete(target);
    const left = [...sites];
    const work = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [target, all] = next;
        const found = await Promise.all(someOf(all).map(answers));
        if (found.includes(true)) this.#answering.add(target);
        else this.#answering.delete(target);
      }
    };
    await Promise.all(Array.from({ length: probesAtOnce }, work));
    return [...this.#answering].toSorted().join() !== before;
  }
}

/** Returns three of the sites, far apart: one whose program hangs, or several of one account, stand for no host. */
function someOf(sites: readonly SiteAddress[]): SiteAddress[] {
  const last = sites.length - 1;
  return [...new Set([0, Math.floor(last / 2), last])].flatMap((index) => sites[index] ?? []);
}

/**
 * Returns the name of what is probed for a route: the programs of a host, or its server of static sites. Undefined
 * for a route of this machine.
 */
function targetOf({ farHost, near }: Pick<SiteRoute, "farHost" | "near">): string | undefined {
  if (farHost === undefined) return undefined;
  return near?.isStatic === true ? `${farHost} static` : farHost;
}

/**
 * True when something answers at the address. A program that refuses, as it starts or stops, counts as well: the
 * way to its host is open. The server of static sites does not, as a host that offers none over the mesh refuses for
 * good.
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
