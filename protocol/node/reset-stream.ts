/** Breaks a stream of HTTP/2 off, so that the other end sees it broken. */

import type { Http2Stream } from "node:http2";
import { addAbortSignal } from "node:stream";

/**
 * Resets the stream with CANCEL and lets go of all that it holds. `stream.close(code)` is no substitute: it ends the writable side first, so a message
 * cut short arrives as a whole one, or, where it had stated its length, as an invalid frame, and a session is closed with all its streams when it has
 * met a thousand of those. The stream needs a listener for `error`.
 */
export function resetStream(stream: Http2Stream): void {
  if (!stream.destroyed) addAbortSignal(AbortSignal.abort(), stream);
}
