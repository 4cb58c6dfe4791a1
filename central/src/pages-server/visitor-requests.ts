/** Says what requests of visitors may be, whichever server of central takes them. */

import type { IncomingMessage } from "node:http";

/** Most bytes of a request's head. */
export const maxVisitorHeaderBytes = 32 * 1024;

/** True for an upgrade that is passed on; any other is answered as if it were none. */
export function isWebSocket({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}
