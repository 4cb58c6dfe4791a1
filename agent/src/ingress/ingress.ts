/**
 * The host's side of the tunnel: keeps a connection to central and serves the visitors of this host's sites
 * over it.
 */

import { performServerHandshake, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { dialTunnel } from "./dial-tunnel.ts";
import { ingressTimes, type IngressOptions, type IngressTimes } from "./ingress-options.ts";
import { HeldVisits } from "./held-visits.ts";
import { serveStream } from "./serve-stream.ts";
import type { IngressContext } from "./stream-visit.ts";
import {
  backOffMs,
  connectionWindowBytes,
  maxTunnelHeaderBytes,
  maxTunnelStreams,
  streamWindowBytes,
} from "@tijolo/protocol";
import { holdSession, watchPeer } from "@tijolo/protocol/kit";

/** The other end of a session is central, and all visitors share the session. */
const sessionOptions = {
  settings: {
    enableConnectProtocol: true,
    initialWindowSize: streamWindowBytes,
    maxConcurrentStreams: maxTunnelStreams,
    maxHeaderListSize: maxTunnelHeaderBytes,
  },
  maxSessionMemory: 512,
  maxHeaderListPairs: 512,
  // What visitors cancel must never end the session.
  streamResetBurst: 1_000_000,
  streamResetRate: 100_000,
  maxSessionInvalidFrames: 1_000_000,
  maxSessionRejectedStreams: 1_000_000,
};

export class Ingress {
  readonly #options: IngressOptions;
  readonly #times: IngressTimes;
  readonly #closing = new AbortController();
  #pause = new AbortController();
  #session: ServerHttp2Session | undefined;
  #isReady = false;
  readonly #visits: IngressContext;
  readonly #running: Promise<void>;

  constructor(options: IngressOptions) {
    this.#options = options;
    this.#times = { ...ingressTimes, ...options.times };
    this.#visits = {
      ...options,
      times: this.#times,
      held: new HeldVisits({ ...options, times: this.#times }),
    };
    this.#running = this.#run();
  }

  /** True when central accepted the newest connection and it is alive. */
  isConnected(): boolean {
    return this.#isReady && this.#session !== undefined && !this.#session.destroyed;
  }

  /** Tries at once instead of at the end of the pause, because a new bearer is available. */
  wake(): void {
    this.#pause.abort();
  }

  /** Lets visits that are under way finish for up to `graceMs`, then cuts. Projects are not touched. */
  async close({ graceMs = 2_000 }: { graceMs?: number } = {}): Promise<void> {
    this.#closing.abort();
    const last = this.#session;
    if (last !== undefined) {
      last.close();
      const timer = setTimeout(() => last.destroy(), this.#isReady ? graceMs : 0);
      last.once("close", () => clearTimeout(timer));
    }
    await this.#running;
    this.#options.visits.kept.destroy();
  }

  async #run(): Promise<void> {
    const { backOffMinMs: minMs, backOffMaxMs: maxMs, handshakeMs } = this.#times;
    const { centralUrl, tls, logger, random } = this.#options;
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted;) {
      const bearer = this.#options.bearer();
      const startedAt = performance.now();
      if (bearer !== undefined) {
        try {
          await this.#serve(await dialTunnel({ centralUrl, tls, bearer, timeoutMs: handshakeMs, signal }));
        } catch (error) {
          if (!signal.aborted) logger.warn({ error: textOf(error) }, "no tunnel");
        }
      }
      failures = performance.now() - startedAt > maxMs ? 1 : failures + 1;
      await this.#rest(bearer === undefined ? minMs : backOffMs(failures, { minMs, maxMs, random }));
    }
  }

  /** Resolves when the connection is over. */
  #serve(socket: Socket): Promise<void> {
    if (this.#closing.signal.aborted) {
      socket.destroy();
      return Promise.resolve();
    }
    const { logger } = this.#options;
    const current = performServerHandshake(socket, sessionOptions);
    this.#session = current;
    current.setLocalWindowSize(connectionWindowBytes);
    const cut = (reason: string) => {
      logger.warn({ reason }, "tunnel cut");
      current.destroy();
      socket.destroy();
    };
    const handshake = setTimeout(() => cut("central did not begin"), this.#times.handshakeMs);
    current.once("remoteSettings", () => {
      clearTimeout(handshake);
      this.#isReady = true;
      logger.info("tunnel open");
    });
    current.on("error", (error: Error) => logger.info({ err: error }, "tunnel broke"));
    current.on("stream", (stream, headers) => {
      holdSession(current, stream);
      serveStream(stream, headers, this.#visits);
    });
    watchPeer(current, socket, { ...this.#times, onSilent: () => cut("central is silent") });
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(handshake);
        this.#session = undefined;
        this.#isReady = false;
        current.destroy();
        socket.destroy();
        resolve();
      };
      current.once("close", end);
      socket.once("close", end);
    });
  }

  async #rest(ms: number): Promise<void> {
    this.#pause = new AbortController();
    const signal = AbortSignal.any([this.#pause.signal, this.#closing.signal]);
    await delay(ms, undefined, { signal }).catch(() => {});
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
