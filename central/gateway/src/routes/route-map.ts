/** Brings the routes to HAProxy's map. A run that is being drained, before it is stopped, gets no new visits. */

import type { SiteRoute } from "@tijolo/protocol";
import { HaproxyMap, type HaproxyMapOptions } from "../haproxy/haproxy-map.ts";
import { FarHosts } from "./far-hosts.ts";
import { mapValue } from "./map-value.ts";

/**
 * A drain ends with a later run of the project, or this long after its deadline: the run that was to be stopped
 * went on.
 */
const graceMs = 60_000;

interface DrainedRun {
  runNumber: number;
  endsAtMs: number;
}

export class RouteMap {
  readonly #map: HaproxyMap;
  readonly #farHosts = new FarHosts();
  #routes: ReadonlyMap<string, SiteRoute> = new Map();
  /** Runs that are being drained, by project. */
  readonly #drained = new Map<string, DrainedRun>();

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
  beginDrain(projectId: string, runNumber: number, drainMs = 0): Promise<void> {
    this.#drained.set(projectId, { runNumber, endsAtMs: performance.now() + drainMs + graceMs });
    return this.#map.apply(() => this.#values());
  }

  /** Sends visits over the mesh to the hosts that answer now, and to no others. */
  async probeFarHosts(): Promise<void> {
    if (await this.#farHosts.probe(this.#routes.values())) await this.#map.apply(() => this.#values());
  }

  /** Compares the file and the running HAProxy with the routes, and repairs both. */
  compare(): Promise<void> {
    return this.#map.compare(() => this.#values());
  }

  #values(): Map<string, string> {
    const nowMs = performance.now();
    for (const [projectId, { endsAtMs }] of this.#drained)
      if (nowMs > endsAtMs) this.#drained.delete(projectId);
    const values = new Map<string, string>();
    for (const route of this.#routes.values()) {
      const drained = this.#drained.get(route.projectId);
      const isDrained = drained !== undefined && (route.near?.runNumber ?? 0) <= drained.runNumber;
      if (drained !== undefined && !isDrained) this.#drained.delete(route.projectId);
      const isDirect = !isDrained && this.#farHosts.reaches(route);
      values.set(route.hostname, mapValue(route, { isDirect }));
    }
    return values;
  }
}
