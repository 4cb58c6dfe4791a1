/** Puts the parts of an update of the routes together: it takes effect as a whole, with its last part. */

import { createHash } from "node:crypto";
import {
  canonicalRoute,
  sumOfHashes,
  type CentralServers,
  type RoutesUpdate,
  type SiteRoute,
} from "@tijolo/protocol";

export interface RouteSet {
  setHash: string;
  central: CentralServers;
  routes: ReadonlyMap<string, SiteRoute>;
}

export class UpdateCollector {
  #current: ReadonlyMap<string, SiteRoute>;
  #next: Map<string, SiteRoute> = new Map();
  #part = 0;

  constructor(current: ReadonlyMap<string, SiteRoute>) {
    this.#current = current;
  }

  /**
   * Takes a part. Returns the set after the last one; null while parts are missing. Throws when parts do not
   * follow each other, or the set is not the one that central means.
   */
  take({ part, isFull, upserts, deletes, setHash, central }: RoutesUpdate): RouteSet | null {
    if (part === 0) this.#next = new Map(isFull ? [] : this.#current);
    else if (part !== this.#part + 1) throw new Error("a part of the routes is missing");
    this.#part = part;
    for (const hostname of deletes) this.#next.delete(hostname);
    for (const route of upserts) this.#next.set(route.hostname, route);
    if (setHash === null) return null;
    if (hashOf(this.#next) !== setHash) throw new Error("the routes are not those that central means");
    this.#current = this.#next;
    return { setHash, central, routes: this.#current };
  }
}

export function hashOf(routes: ReadonlyMap<string, SiteRoute>): string {
  const hashes = [...routes.values()].map((route) =>
    createHash("sha256").update(canonicalRoute(route)).digest("hex"),
  );
  return sumOfHashes(hashes);
}
