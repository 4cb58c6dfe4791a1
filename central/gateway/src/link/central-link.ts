/** Keeps a connection to central up, and follows the routes and drains that it sends. */

import {
  backOffMs,
  certificatesUpdate,
  commonProtocol,
  drain,
  helloSignatureText,
  linkProtocol,
  linkTimes,
  routesUpdate,
  type CarriedVisits,
  type CertificatesUpdate,
  type Drain,
  type RoutesUpdate,
} from "@tijolo/protocol";
import { Latch, SerialQueue } from "@tijolo/protocol/kit";
import {
  callCentral,
  defaultConnectionBounds,
  openConnection,
  RefusedError,
  type Connection,
} from "@tijolo/protocol/kit/link";
import type { Logger } from "pino";
import type { Membership } from "./membership.ts";

/** Milliseconds between attempts while central refuses this gateway. */
const refusedMs = 60_000;
/** Milliseconds of a connection after which the next failure counts as the first. */
const stableMs = 15_000;
const callMs = 10_000;

export interface CentralLinkOptions extends Membership {
  centralUrl: string;
  build: string;
  machine: string;
  /** Returns the hash of the set that this gateway holds; "" asks for all routes. */
  setHash: () => string;
  /** Called at the beginning of each subscription: its first part begins anew. */
  onBegin: () => void;
  /** Takes a part of an update. What it throws ends the connection, and the next one asks for all routes. */
  onRoutes: (update: RoutesUpdate) => Promise<void>;
  /** Returns the ids of the certificates on this machine's disk. */
  storedCertificateIds: () => string[];
  /** Takes a part of an update. What it throws ends the connection, and the next one asks anew. */
  onCertificates: (update: CertificatesUpdate) => Promise<void>;
  /** Resolves once the run gets no visits any more. */
  onDrain: (drain: Drain) => Promise<void>;
  random: () => number;
  logger: Pick<Logger, "info" | "warn" | "error">;
}

export class CentralLink implements AsyncDisposable {
  readonly #options: CentralLinkOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  /** The connection after its welcome, which may have ended. */
  #current: Connection | undefined;

  constructor(options: CentralLinkOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Reports visits. Rejects while there is no connection, and when it is not known whether they came. */
  async report(visits: CarriedVisits): Promise<void> {
    const connection = this.#current;
    if (connection === undefined || connection.ended.aborted) throw new Error("not connected");
    await callCentral(connection, callMs, (signal) => connection.client.visits.mutate(visits, { signal }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { centralUrl, tls, random } = this.#options;
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted;) {
      const startedAtMs = performance.now();
      const connection = openConnection(centralUrl, defaultConnectionBounds, tls);
      const leave = () => connection.end("the gateway is closing");
      signal.addEventListener("abort", leave, { once: true });
      let isRefused = false;
      try {
        await this.#sayHello(connection);
        this.#current = connection;
        this.#follow(connection);
        await whenEnded(connection);
      } catch (error) {
        isRefused = error instanceof RefusedError;
        connection.end(error instanceof Error ? error.message : String(error));
      } finally {
        signal.removeEventListener("abort", leave);
      }
      if (signal.aborted) return;
      failures = performance.now() - startedAtMs > stableMs ? 1 : failures + 1;
      await this.#pause(connection, isRefused ? refusedMs : this.#backOff(failures, random));
    }
  }

  #backOff(failures: number, random: () => number): number {
    return backOffMs(failures, { minMs: linkTimes.backOffMinMs, maxMs: linkTimes.backOffMaxMs, random });
  }

  async #pause({ ended }: Connection, timeoutMs: number): Promise<void> {
    const reason: unknown = ended.reason;
    this.#options.logger.warn(
      { reason: reason instanceof Error ? reason.message : String(reason), timeoutMs },
      "link: not connected; visitors are served by what this gateway knows",
    );
    await new Latch().wait({ signal: this.#closing.signal, timeoutMs });
  }

  async #sayHello(connection: Connection): Promise<void> {
    const { gatewayId, identity, build, machine, logger } = this.#options;
    const call = <T>(work: (signal: AbortSignal) => Promise<T>) =>
      callCentral(connection, defaultConnectionBounds.connectMs, work);
    const { nonce, protocol } = await call((signal) =>
      connection.client.challenge.mutate(undefined, { signal }),
    );
    if (commonProtocol(linkProtocol, protocol) === undefined)
      throw new RefusedError(
        "central and this gateway speak no common version of the link: update the older",
      );
    const { min, max } = linkProtocol;
    const signature = identity.sign(
      helloSignatureText({ hostId: gatewayId, socket: "gateway", nonce, channel: connection.channel() }),
    );
    const hello = { gatewayId, signature, protocol: { min, max }, build, machine };
    const { epoch } = await call((signal) => connection.client.gatewayHello.mutate(hello, { signal }));
    logger.info({ epoch }, "link: connected");
  }

  #follow(connection: Connection): void {
    const { setHash, storedCertificateIds, onBegin, onRoutes, onCertificates, onDrain, logger } =
      this.#options;
    onBegin();
    const fail = (what: string) => (error: unknown) => {
      logger.error({ err: error }, `link: ${what}`);
      connection.end(what);
    };
    /** Takes one part after the other, until the connection has ended. */
    const inTurn = (what: string, take: (received: unknown) => Promise<void>) => {
      const parts = new SerialQueue();
      const failed = fail(`the ${what} could not be taken`);
      return {
        onData(received: unknown) {
          // The failure ends the connection before the next part has its turn.
          void parts.run(async () => {
            if (!connection.ended.aborted) await take(received).catch(failed);
          });
        },
        onError: (error: Error) => connection.end(`the ${what} broke off: ${error.message}`),
        onComplete: () => connection.end(`the ${what} ended`),
      };
    };
    const answerDrain = async (received: unknown) => {
      const wanted = drain.parse(received);
      await onDrain(wanted);
      await connection.client.drained.mutate({ drainId: wanted.drainId });
    };
    connection.client.routes.subscribe(
      { setHash: setHash() },
      inTurn("routes", async (received) => onRoutes(routesUpdate.parse(received))),
    );
    connection.client.certificates.subscribe(
      { held: storedCertificateIds() },
      inTurn("certificates", async (received) => onCertificates(certificatesUpdate.parse(received))),
    );
    connection.client.drains.subscribe(undefined, {
      onData(received) {
        void answerDrain(received).catch(fail("a run could not be drained"));
      },
      onError: (error) => connection.end(`the drains broke off: ${error.message}`),
      onComplete: () => connection.end("the drains ended"),
    });
  }
}

function whenEnded({ ended }: Connection): Promise<void> {
  return new Promise((resolve) => {
    if (ended.aborted) return resolve();
    ended.addEventListener("abort", () => resolve(), { once: true });
  });
}
