/** How central opens and closes a server of Node's. */

import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Address } from "./config.ts";
import type { ConnectionCap } from "./connection-cap.ts";

/**
 * Opens a server. It takes the cap, so that no server is opened without one; lint allows no other way but
 * Fastify's own.
 */
export function listen({ server }: Pick<ConnectionCap, "server">, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Resolves when the last connection is gone; all are ended at once. */
export function closeServer(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    connections.end();
  });
}

/**
 * All connections of a server, those too that were upgraded: Node forgets them, and still waits for their end
 * when it closes the server.
 */
export class Connections {
  readonly #sockets = new Set<Socket>();
  #isEnding = false;

  /** To be made before the server listens. */
  constructor(server: Server) {
    server.on("connection", (socket) => {
      if (this.#isEnding) return void socket.destroy();
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  /** At once, also those that come from now on. */
  end(): void {
    this.#isEnding = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}
