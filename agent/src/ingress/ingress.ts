/**
 * The host's side of the tunnel: keeps a connection to central and serves the visitors of this host's sites
 * over it.
 */

import { Agent } from "node:http";
import { performServerHandshake, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { dialTunnel } from "./dial-tunnel.ts";
import { ingressTimes, type IngressOptions } from "./ingress-options.ts";
import { serveStream } from "./serve-stream.ts";
import {
  backOffMs,
  connectionWindowBytes,
  maxTunnelHeaderBytes,
  maxTunnelStreams,
  streamWindowBytes,
} from "@tijolo/protocol";
import { watchPeer } from "@tijolo/protocol/kit";

/** An unused connection to a project is closed before most servers close it themselves (5 s). */
const keptSocketMs = 4_000;

export interface Ingress {
  /** Central answered the newest connection and it is alive. */
  isConnected(): boolean;
  /** Tries at once instead of at the end of the pause (a new bearer is there). */
  wake(): void;
  /** Lets visits that are under way finish for up to `graceMs`, then cuts. Projects are not touched. */
  close(options?: { graceMs?: number }): Promise<void>;
}

export function createIngress(options: IngressOptions): Ingress {
  const times = { ...ingressTimes, ...options.times };
  const { logger } = options;
  const backOff = { minMs: times.backOffMinMs, maxMs: times.backOffMaxMs, random: options.random };
  const closing = new AbortController();
  let pause = new AbortController();
  let session: ServerHttp2Session | undefined;
  let isReady = false;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 1_024,
    maxFreeSockets: 256,
    timeout: keptSocketMs,
    scheduling: "lifo",
  });
  const context = { ...options, times, agent, waiting: { count: 0 } };

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted;) {
      const bearer = options.bearer();
      const startedAt = performance.now();
      if (bearer !== undefined) {
        try {
          const socket = await dialTunnel({
            centralUrl: options.centralUrl,
            bearer,
            timeoutMs: times.handshakeMs,
            signal: closing.signal,
          });
          await serve(socket);
        } catch (error) {
          if (!closing.signal.aborted) logger.warn({ error: textOf(error) }, "no tunnel");
        }
      }
      failures = performance.now() - startedAt > times.backOffMaxMs ? 1 : failures + 1;
      await rest(bearer === undefined ? times.backOffMinMs : backOffMs(failures, backOff));
    }
  }

  /** Resolves when the connection is over. */
  function serve(socket: Socket): Promise<void> {
    if (closing.signal.aborted) {
      socket.destroy();
      return Promise.resolve();
    }
    const current = performServerHandshake(socket, {
      settings: {
        enableConnectProtocol: true,
        initialWindowSize: streamWindowBytes,
        maxConcurrentStreams: maxTunnelStreams,
        maxHeaderListSize: maxTunnelHeaderBytes,
      },
      maxSessionMemory: 512,
      maxHeaderListPairs: 512,
      // The other end is central. What visitors cancel must never end the tunnel that all of them share.
      streamResetBurst: 1_000_000,
      streamResetRate: 100_000,
      maxSessionInvalidFrames: 1_000_000,
      maxSessionRejectedStreams: 1_000_000,
    });
    session = current;
    current.setLocalWindowSize(connectionWindowBytes);
    const handshake = setTimeout(() => cut("central did not begin"), times.handshakeMs);
    current.once("remoteSettings", () => {
      clearTimeout(handshake);
      isReady = true;
      logger.info("tunnel open");
    });
    current.on("error", (error: Error) => logger.info({ err: error }, "tunnel broke"));
    current.on("stream", (stream, headers) => serveStream(stream, headers, context));
    watchPeer(current, socket, { ...times, onSilent: () => cut("central is silent") });

    function cut(reason: string): void {
      logger.warn({ reason }, "tunnel cut");
      current.destroy();
      socket.destroy();
    }
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(handshake);
        session = undefined;
        isReady = false;
        current.destroy();
        socket.destroy();
        resolve();
      };
      current.once("close", end);
      socket.once("close", end);
    });
  }

  async function rest(ms: number): Promise<void> {
    pause = new AbortController();
    await delay(ms, undefined, { signal: AbortSignal.any([pause.signal, closing.signal]) }).catch(() => {});
  }

  const running = run();
  return {
    isConnected: () => isReady && session !== undefined && !session.destroyed,
    wake: () => pause.abort(),
    async close({ graceMs = 2_000 } = {}) {
      closing.abort();
      const last = session;
      if (last !== undefined) {
        last.close();
        const timer = setTimeout(() => last.destroy(), isReady ? graceMs : 0);
        last.once("close", () => clearTimeout(timer));
      }
      await running;
      agent.destroy();
    },
  };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
