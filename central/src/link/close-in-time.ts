/** Closes WebSockets of peers that may not answer. */

import type { WebSocket } from "ws";

/** Milliseconds that a peer gets to answer the close. */
const closeGraceMs = 1_000;

/** Closes the socket; a peer that does not answer the close is cut off. */
export function closeInTime(webSocket: WebSocket, code: number, reason: string): void {
  if (webSocket.readyState === webSocket.CLOSED) return;
  webSocket.close(code, reason);
  setTimeout(() => webSocket.terminate(), closeGraceMs).unref();
}
