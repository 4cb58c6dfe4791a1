/**
 * Follows the routes that central sends: to this machine's disk first, then to HAProxy, which serves from the first
 * whole set on.
 */

import type { RoutesUpdate } from "@tijolo/protocol";
import { SerialQueue } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import type { GatewayCertificates } from "../certificates/gateway-certificates.ts";
import type { Haproxy } from "../haproxy/haproxy.ts";
import { UpdateCollector, type RouteSet } from "./collect-update.ts";
import type { RouteMap } from "./route-map.ts";
import { readSavedRoutes, saveRoutes } from "./saved-routes.ts";

export interface RouteFollowerParts {
  /** File of the saved routes. */
  file: string;
  map: RouteMap;
  haproxy: Haproxy;
  certificates: GatewayCertificates;
  logger: Pick<Logger, "warn">;
}

export class RouteFollower {
  readonly #parts: RouteFollowerParts;
  #set: RouteSet | undefined;
  #collector = new UpdateCollector(new Map());
  /** Servers of central that HAProxy knows, as text; undefined until it serves by a whole set. */
  #servedCentral: string | undefined;
  /** Sets are followed in the order in which they came, also those of two connections. */
  readonly #sets = new SerialQueue();

  private constructor(parts: RouteFollowerParts, set: RouteSet | undefined) {
    this.#parts = parts;
    this.#set = set;
  }

  /** Resolves once HAProxy serves by the saved routes, or at once where there are none. */
  static async open(parts: RouteFollowerParts): Promise<RouteFollower> {
    const saved = await readSavedRoutes(parts.file);
    const set = saved && { ...saved, routes: new Map(saved.routes.map((route) => [route.hostname, route])) };
    const follower = new RouteFollower(parts, set);
    if (set !== undefined) await follower.#serve(set);
    return follower;
  }

  /** True once HAProxy serves by a whole set. */
  get isServing(): boolean {
    return this.#servedCentral !== undefined;
  }

  /** Hash of the set that this gateway has, by which central knows what to send; "" asks for all routes. */
  get setHash(): string {
    return this.#set?.setHash ?? "";
  }

  /** Must be called before the first part of each subscription. */
  begin(): void {
    this.#collector = new UpdateCollector(this.#set?.routes ?? new Map());
  }

  /** Takes a part of an update. A set that could not be taken is asked for anew, as a whole. */
  async take(update: RoutesUpdate): Promise<void> {
    try {
      const set = this.#collector.take(update);
      if (set !== null) await this.#sets.run(() => this.#follow(set));
    } catch (error) {
      this.#set = this.#set && { ...this.#set, setHash: "" };
      throw error;
    }
  }

  async #follow(set: RouteSet): Promise<void> {
    const { file, map } = this.#parts;
    const { setHash, central, routes } = set;
    await saveRoutes(file, { setHash, central, routes: [...routes.values()] });
    this.#set = set;
    if (this.#servedCentral !== JSON.stringify(central)) await this.#serve(set);
    else {
      await map.apply(routes);
      this.#probeSoon();
    }
  }

  async #serve(set: RouteSet): Promise<void> {
    const { map, haproxy, certificates } = this.#parts;
    await map.write(set.routes);
    await certificates.write();
    await haproxy.serve(set.central);
    await map.apply(set.routes);
    await certificates.apply();
    this.#servedCentral = JSON.stringify(set.central);
    this.#probeSoon();
  }

  /** New routes may lead to hosts that have not been probed. */
  #probeSoon(): void {
    const { map, logger } = this.#parts;
    map
      .probeFarHosts()
      .catch((error: unknown) => logger.warn({ err: error }, "hosts on other machines could not be tried"));
  }
}
