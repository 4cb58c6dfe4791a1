/** Implements central's side of a connection of a gateway, after the hello that it says. */

import { createHash } from "node:crypto";
import { TRPCError } from "@trpc/server";
import {
  canonicalRoute,
  commonProtocol,
  sumOfHashes,
  type CarriedVisits,
  type CertificatesUpdate,
  type Drain,
  type GatewayHello,
  type GatewayWelcome,
  type LinkProtocol,
  type SiteRoute,
  type RoutesUpdate,
} from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import type { DrainListener } from "../app/gateways/drains.ts";
import type { GatewayBackend } from "../app/gateways/gateway-backend.ts";
import { certificatesFeed, type CertificatesWay } from "./certificates-feed.ts";
import { isHelloSigned } from "./host-key.ts";

/** Routes in one part of an update: some hundred kilobytes. */
const routesPerPart = 2_000;
/** Drains that wait for a gateway that does not read them; the oldest is given up. */
const maxDrains = 1_000;

export class GatewaySession implements DrainListener {
  readonly gatewayId: string;
  readonly #backend: GatewayBackend;
  readonly #machine: string;
  readonly #drainWake = new Latch();
  #drains: Drain[] = [];

  private constructor(backend: GatewayBackend, { gatewayId, machine }: GatewayHello) {
    this.#backend = backend;
    this.gatewayId = gatewayId;
    this.#machine = machine;
  }

  /** Checks a hello. Throws UNAUTHORIZED for a stranger, PRECONDITION_FAILED for another protocol. */
  static async open(
    backend: GatewayBackend | undefined,
    hello: GatewayHello,
    {
      nonce,
      channel,
      protocol: own,
    }: {
      nonce: string | undefined;
      channel: string | undefined;
      protocol: LinkProtocol;
    },
  ): Promise<{ session: GatewaySession; welcome: GatewayWelcome }> {
    const { gatewayId, signature } = hello;
    const publicKey = await backend?.findKey(gatewayId);
    const signed = { hostId: gatewayId, socket: "gateway" as const, signature };
    if (
      backend === undefined ||
      nonce === undefined ||
      publicKey === undefined ||
      !isHelloSigned(publicKey, signed, { nonce, channel })
    )
      throw new TRPCError({
        code: "UNAUTHORIZED",
        message: "Unknown or removed gateway, or a wrong signature.",
      });
    const protocol = commonProtocol(own, hello.protocol);
    if (protocol === undefined)
      throw new TRPCError({
        code: "PRECONDITION_FAILED",
        message: `Central speaks protocol ${own.min} to ${own.max}.`,
      });
    const { epoch } = await backend.connected(hello);
    if ((await backend.findKey(gatewayId)) === undefined) {
      // It was removed meanwhile, when there was no connection of it to cut.
      backend.disconnected(gatewayId);
      throw new TRPCError({ code: "UNAUTHORIZED", message: "This gateway was removed." });
    }
    return { session: new GatewaySession(backend, hello), welcome: { protocol, epoch } };
  }

  /** Yields the routes that the gateway lacks, then each change. */
  async *routes(
    from: { setHash: string },
    { drained, signal }: { drained: () => Promise<void>; signal: AbortSignal },
  ): AsyncGenerator<RoutesUpdate> {
    const change = new Latch();
    const unsubscribe = this.#backend.onRoutesChange(() => change.set());
    try {
      let held: ReadonlyMap<string, string> | undefined;
      let told = "";
      for (let revision = 1; !signal.aborted;) {
        const routes = this.#backend.routesOf(this.#machine);
        const hashes = hashesOf(routes);
        const setHash = sumOfHashes(hashes.values());
        const isFirst = held === undefined;
        if (isFirst && setHash === from.setHash) held = hashes;
        const isFull = held === undefined;
        const upserts = [...routes.values()].filter(
          ({ hostname }) => held?.get(hostname) !== hashes.get(hostname),
        );
        const deletes = [...(held?.keys() ?? [])].filter((hostname) => !hashes.has(hostname));
        const central = this.#backend.centralServers(this.gatewayId);
        const areServersNew = JSON.stringify(central) !== told;
        if (isFirst || areServersNew || upserts.length + deletes.length > 0) {
          for (const part of partsOf({ revision, isFull, upserts, deletes, setHash, central })) {
            yield part;
            await drained();
          }
          revision += 1;
        }
        told = JSON.stringify(central);
        held = hashes;
        await change.wait({ signal, timeoutMs: null });
      }
    } finally {
      unsubscribe();
    }
  }

  /** Yields the certificates that the gateway lacks, then each change. */
  certificates(from: { held: readonly string[] }, way: CertificatesWay): AsyncGenerator<CertificatesUpdate> {
    return certificatesFeed(this.#backend, from, way);
  }

  /** Yields the runs that the gateway is to drain, for as long as the connection lives. */
  async *drains(signal: AbortSignal): AsyncGenerator<Drain> {
    const leave = this.#backend.listenForDrains(this);
    try {
      while (!signal.aborted) {
        const waiting = this.#drains;
        this.#drains = [];
        yield* waiting;
        await this.#drainWake.wait({ signal, timeoutMs: null });
      }
    } finally {
      leave();
    }
  }

  drain(drain: Drain): void {
    if (this.#drains.length >= maxDrains) this.#drains.shift();
    this.#drains.push(drain);
    this.#drainWake.set();
  }

  drained(drainId: number): void {
    this.#backend.drained(this, drainId);
  }

  visits(visits: CarriedVisits): void {
    this.#backend.countVisits(this.gatewayId, visits);
  }

  ended(): void {
    this.#backend.disconnected(this.gatewayId);
  }
}

function hashesOf(routes: ReadonlyMap<string, SiteRoute>): Map<string, string> {
  return new Map(
    [...routes].map(([hostname, route]) => [
      hostname,
      createHash("sha256").update(canonicalRoute(route)).digest("hex"),
    ]),
  );
}

/** Cuts an update into parts; the last one has the hash of the set that results. */
function* partsOf(update: Omit<RoutesUpdate, "part">): Generator<RoutesUpdate> {
  const { upserts, deletes } = update;
  const parts = Math.max(1, Math.ceil(Math.max(upserts.length, deletes.length) / routesPerPart));
  for (let part = 0; part < parts; part++) {
    const [from, to] = [part * routesPerPart, (part + 1) * routesPerPart];
    yield {
      ...update,
      part,
      upserts: upserts.slice(from, to),
      deletes: deletes.slice(from, to),
      setHash: part === parts - 1 ? update.setHash : null,
    };
  }
}
