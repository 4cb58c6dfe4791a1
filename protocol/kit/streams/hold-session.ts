/**
 * Keeps a session of HTTP/2 in memory for as long as its streams, so that its peer cannot end this program.
 *
 * Node ends the whole process (`Http2Session::~Http2Session`, `current_nghttp2_memory_ == 0`) when a session is
 * collected while one of its streams holds fields of a head that never ended. Streams that stand in the session
 * are released first, since CVE-2024-27983. A stream that was destroyed while its bytes were being written is
 * not among them: it waits for the collector, which may take the session before it. A peer brings this about
 * by an unfinished head, and by not reading; so does a connection that breaks. Seen with Node 24.21.
 */

import type { Http2Session, Http2Stream } from "node:http2";

/**
 * Holds sessions' native parts until the collector has taken their streams. A stream's native part refers to the
 * stream, and so is never collected later than it.
 */
const sessionsOfStreams = new FinalizationRegistry<object>(() => {});

/** Call it for each stream once it is there, before the session is destroyed. */
export function holdSession(session: Http2Session, stream: Http2Stream): void {
  sessionsOfStreams.register(stream, nativePartOf(session));
}

/** The session itself does not refer to its native part any more once it is destroyed. */
function nativePartOf(session: Http2Session): object {
  const key = Object.getOwnPropertySymbols(session).find(({ description }) => description === "kHandle");
  const handle: unknown = key === undefined ? undefined : Reflect.get(session, key);
  return typeof handle === "object" && handle !== null ? handle : session;
}
