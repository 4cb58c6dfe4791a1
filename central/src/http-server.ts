/** Opens and closes Node's servers for central. */

import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Address } from "./config.ts";
import type { ConnectionCap } from "./connection-cap.ts";

/**
 * Opens a server. It requires the cap, so that no server is opened without one; lint allows no other way but
 * Fastify's own.
 */
export function listen({ server }: Pick<ConnectionCap, "server">, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Closes a server: ends all connections at once, and resolves when the last one is gone. */
export function closeServer(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    connections.end();
  });
}

/**
 * Tracks all connections of a server, including upgraded ones: Node forgets them, and still waits for their
 * end when it closes the server.
 */
export class Connections {
  readonly #sockets = new Set<Socket>();
  #isEnding = false;

  /** Must be made before the server listens. */
  constructor(server: Server) {
    server.on("connection", (socket) => {
      if (this.#isEnding) return void socket.destroy();
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  /** Destroys all sockets at once, also those that come from now on. */
  end(): void {
    this.#isEnding = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}
