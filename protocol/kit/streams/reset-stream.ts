/** Resets a stream of HTTP/2 so that the other end sees it broken. */

import type { Http2Stream } from "node:http2";
import { addAbortSignal } from "node:stream";

/**
 * Resets the stream with CANCEL, unless both ends have ended it, and releases all that it holds. The stream
 * needs a listener for `error`. `stream.close(code)` is no substitute: it ends the writable side first. A
 * message cut short then arrives as a whole one, or, where it had stated its length, as an invalid frame, and
 * a session that has met too many of those is closed with all its streams.
 */
export function resetStream(stream: Http2Stream): void {
  if (stream.closed) stream.destroy();
  else addAbortSignal(AbortSignal.abort(), stream);
}
