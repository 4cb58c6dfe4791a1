/**
 * Ends a socket that has left its HTTP server: nobody else reads it then, and no timeout of the server holds
 * for it.
 */

import type { Duplex } from "node:stream";

export interface EndSocketOptions {
  /** Bytes that are sent first. */
  lastBytes?: string;
  /** Milliseconds that the other side may take to close after that. */
  lingerMs?: number;
}

/**
 * Ends the socket, and destroys it when the other side has closed, or after `lingerMs` in any case. Until
 * then what still arrives is read and discarded: unread bytes would hide the other side's end, and closing
 * over them would reset the connection, and the answer with it.
 */
export function endSocket(socket: Duplex, { lastBytes = "", lingerMs = 2_000 }: EndSocketOptions = {}): void {
  if (socket.destroyed) return;
  socket.on("error", () => {}); // its 'close' is what counts
  if (!socket.writableEnded) socket.end(lastBytes);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}

/** Answers an upgrade that is not accepted, and ends its socket. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  endSocket(socket, { lastBytes: `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n` });
}
