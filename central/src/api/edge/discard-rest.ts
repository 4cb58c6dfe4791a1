/** Discards the rest of a body that was refused. */

import type { IncomingMessage } from "node:http";

/**
 * Reads and discards the rest: closing a connection with unread bytes resets it, and a client that is still
 * sending would lose the answer. After `lingerMs` the connection is cut.
 */
export function discardRest(request: IncomingMessage, lingerMs: number): void {
  const timer = setTimeout(() => request.destroy(), lingerMs);
  request.once("close", () => clearTimeout(timer));
  request.once("end", () => clearTimeout(timer));
  request.on("error", () => {});
  request.unpipe();
  request.resume();
}
