/**
 * Opens the streams of visits in a host's tunnel, so that no host can end central with them.
 *
 * Node ends the whole process (`Http2Session::~Http2Session`, `current_nghttp2_memory_ == 0`) when a session is
 * collected while one of its streams holds fields of a head that never ended. Streams that stand in the session
 * are released first, since CVE-2024-27983. A stream that was destroyed while its bytes were being written is
 * not among them: it waits for the collector, which may take the session before it. A host brings this about
 * by an unfinished head, and by not reading. Seen with Node 24.21.
 */

import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  ClientSessionRequestOptions,
  OutgoingHttpHeaders,
} from "node:http2";

/**
 * Holds each session's native part until the collector has taken its streams. A stream's native part refers to
 * the stream, and so is never collected later than it.
 */
const sessionsOfStreams = new FinalizationRegistry<object>(() => {});

/** Does what `session.request` does, and throws what it throws. */
export function openStream(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  options?: ClientSessionRequestOptions,
): ClientHttp2Stream {
  const stream = session.request(headers, options);
  sessionsOfStreams.register(stream, nativePartOf(session));
  return stream;
}

/** The session itself does not refer to its native part any more once it is destroyed. */
function nativePartOf(session: ClientHttp2Session): object {
  const key = Object.getOwnPropertySymbols(session).find(({ description }) => description === "kHandle");
  const handle: unknown = key === undefined ? undefined : Reflect.get(session, key);
  return typeof handle === "object" && handle !== null ? handle : session;
}
