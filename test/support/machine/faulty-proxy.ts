/**
 * Runs a TCP proxy on loopback that does to its connections what networks do: cuts, delays, loses one
 * direction, goes silent.
 */

import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";

/**
 * - `pass`: everything is forwarded, `delayMs` late;
 * - `silent`: connections stay open and new ones are accepted, but no byte moves (black hole);
 * - `deaf`: nothing from the clients reaches the target; the other way works (half-open);
 * - `mute`: nothing from the target reaches the clients;
 * - `refuse`: new connections are reset.
 */
export type ProxyMode = "pass" | "silent" | "deaf" | "mute" | "refuse";

export class FaultyProxy implements AsyncDisposable {
  mode: ProxyMode = "pass";
  delayMs = 0;
  /** Number of connections accepted so far. */
  accepted = 0;
  readonly #server: Server;
  readonly #targetPort: number;
  readonly #pairs = new Set<{ client: Socket; target: Socket }>();

  /** Is called by {@link FaultyProxy.start} only. */
  constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.#server = createServer((client) => this.#take(client));
  }

  static async start(targetPort: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Resets all connections, without a message to either side's program. */
  cut(): void {
    for (const { client, target } of this.#pairs) {
      client.resetAndDestroy();
      target.resetAndDestroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.mode = "refuse";
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(client: Socket): void {
    this.accepted++;
    client.on("error", () => {});
    if (this.mode === "refuse") return void client.resetAndDestroy();
    const target = connect(this.#targetPort, "127.0.0.1");
    target.on("error", () => {});
    const pair = { client, target };
    this.#pairs.add(pair);
    this.#forward(client, target, () => this.mode === "silent" || this.mode === "deaf");
    this.#forward(target, client, () => this.mode === "silent" || this.mode === "mute");
    for (const socket of [client, target]) {
      socket.on("close", () => {
        this.#pairs.delete(pair);
        // What has arrived is delivered first, unless the line is dead.
        for (const other of [client, target]) {
          if (this.mode === "pass") other.end();
          else other.destroy();
        }
      });
    }
  }

  #forward(from: Socket, to: Socket, isLost: () => boolean): void {
    from.on("data", (bytes) => {
      if (isLost()) return;
      const write = () => {
        if (isLost() || to.destroyed || to.writableEnded) return;
        if (!to.write(bytes)) {
          from.pause();
          to.once("drain", () => from.resume());
        }
      };
      if (this.delayMs === 0) write();
      else setTimeout(write, this.delayMs).unref();
    });
  }
}
