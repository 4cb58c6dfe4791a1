/** Brings the routes to HAProxy's map, with those held back whose run is about to be stopped. */

import type { SiteRoute } from "@tijolo/protocol";
import { HaproxyMap, type HaproxyMapOptions } from "../haproxy/haproxy-map.ts";
import { FarHosts } from "./far-hosts.ts";
import { mapValue } from "./map-value.ts";

/**
 * A hold ends with a later run of the project, or after this time beyond its drain: the run that was to be
 * stopped went on.
 */
const longestHoldMs = 60_000;

interface Hold {
  runNumber: number;
  endsAtMs: number;
}

export class RouteMap {
  readonly #map: HaproxyMap;
  readonly #farHosts = new FarHosts();
  #routes: ReadonlyMap<string, SiteRoute> = new Map();
  readonly #holds = new Map<string, Hold>();

  constructor(options: HaproxyMapOptions) {
    this.#map = new HaproxyMap(options);
  }

  /** Writes the map's file for a HAProxy that does not run yet. */
  async write(routes: ReadonlyMap<string, SiteRoute>): Promise<void> {
    this.#routes = routes;
    await this.#map.write(this.#values());
  }

  /** Makes these the routes; resolves once HAProxy follows them. */
  apply(routes: ReadonlyMap<string, SiteRoute>): Promise<void> {
    this.#routes = routes;
    return this.#map.apply(() => this.#values());
  }

  /** Sends no new visits to this run or an earlier one of the project; resolves once HAProxy follows. */
  hold(projectId: string, runNumber: number, drainMs = 0): Promise<void> {
    this.#holds.set(projectId, { runNumber, endsAtMs: performance.now() + drainMs + longestHoldMs });
    return this.#map.apply(() => this.#values());
  }

  /** Sends visits over the mesh to the hosts that answer now, and to no others. */
  async lookAtFarHosts(): Promise<void> {
    if (await this.#farHosts.look(this.#routes.values())) await this.#map.apply(() => this.#values());
  }

  /** Compares the file and the running HAProxy with the routes, and repairs both. */
  compare(): Promise<void> {
    return this.#map.compare(() => this.#values());
  }

  #values(): Map<string, string> {
    const nowMs = performance.now();
    for (const [projectId, { endsAtMs }] of this.#holds) if (nowMs > endsAtMs) this.#holds.delete(projectId);
    const values = new Map<string, string>();
    for (const route of this.#routes.values()) {
      const hold = this.#holds.get(route.projectId);
      const isHeld = hold !== undefined && (route.near?.runNumber ?? 0) <= hold.runNumber;
      if (hold !== undefined && !isHeld) this.#holds.delete(route.projectId);
      values.set(route.hostname, mapValue(route, { isHeld: isHeld || !this.#farHosts.reaches(route) }));
    }
    return values;
  }
}
