/**
 * Carries datagrams of the mesh over central, for hosts that are not reached by UDP. Each of them has a socket
 * of its own on this machine, which WireGuard takes for the other host.
 */

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { backOffMs } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import { openCarrier, type CarrierSocket, type LinkTls } from "@tijolo/protocol/kit/link";
import type { Logger } from "pino";

export interface CarrierOptions {
  centralUrl: string;
  tls: LinkTls | undefined;
  /** Returns the bearer of the control connection; undefined while there is none. */
  bearer: () => string | undefined;
  /** Returns the UDP port of this host's WireGuard. */
  wireguardPort: () => number;
  random: () => number;
  logger: Pick<Logger, "info" | "warn">;
}

const loopback = "127.0.0.1";
const pauses = { minMs: 500, maxMs: 10_000 };

export class Carrier implements AsyncDisposable {
  readonly #options: CarrierOptions;
  /** Sockets that stand for hosts, by their ids. */
  readonly #sockets = new Map<string, Socket>();
  readonly #closing = new AbortController();
  readonly #wake = new Latch();
  #socket: CarrierSocket | undefined;
  #running: Promise<void> | undefined;

  constructor(options: CarrierOptions) {
    this.#options = options;
  }

  /** Returns the endpoint that stands for the host: what is sent there reaches it over central. */
  async endpointOf(hostId: string): Promise<string> {
    const known = this.#sockets.get(hostId);
    const socket = known ?? createSocket("udp4");
    if (known === undefined) {
      this.#sockets.set(hostId, socket);
      socket.on("error", () => {}); // like UDP, it promises nothing
      socket.on("message", (datagram, { port }) => {
        // Whoever else sends to it on this machine is not heard.
        if (port === this.#options.wireguardPort()) this.#socket?.send(hostId, datagram);
      });
      socket.bind(0, loopback);
      socket.unref();
      await once(socket, "listening");
      this.#running ??= this.#run();
    }
    return `${loopback}:${socket.address().port}`;
  }

  /** Gives up all hosts but these; with none of them left, the way over central ends. */
  keep(hostIds: ReadonlySet<string>): void {
    for (const [hostId, socket] of this.#sockets) {
      if (hostIds.has(hostId)) continue;
      this.#sockets.delete(hostId);
      socket.close();
    }
    if (this.#sockets.size === 0) this.#socket?.close();
  }

  /** Must be called when there is a new connection to central. */
  wake(): void {
    this.#wake.set();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.keep(new Set());
    await this.#running;
  }

  /** Keeps the WebSocket open while a host needs it. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted && this.#sockets.size > 0) {
      const bearer = this.#options.bearer();
      if (bearer !== undefined) {
        const openedAtMs = performance.now();
        const reason = await this.#carry(bearer);
        failures = performance.now() - openedAtMs > pauses.maxMs ? 1 : failures + 1;
        if (this.#sockets.size > 0 && !signal.aborted)
          this.#options.logger.warn({ reason }, "mesh: the way over central ended; it is opened again");
      }
      if (this.#sockets.size === 0) break;
      const timeoutMs = backOffMs(Math.max(1, failures), { ...pauses, random: this.#options.random });
      await this.#wake.wait({ signal, timeoutMs });
    }
    this.#running = undefined;
  }

  /** Carries until the socket ends; resolves with the reason. */
  async #carry(bearer: string): Promise<string> {
    const { centralUrl, tls, wireguardPort } = this.#options;
    const socket = openCarrier({
      centralUrl,
      tls,
      bearer,
      onDatagram: (hostId, datagram) =>
        this.#sockets.get(hostId)?.send(datagram, wireguardPort(), loopback, () => {}),
    });
    this.#socket = socket;
    if (!socket.ended.aborted) await once(socket.ended, "abort");
    this.#socket = undefined;
    return (socket.ended.reason as Error).message;
  }
}
