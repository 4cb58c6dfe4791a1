/** Passes a project's answer on to the visitor. */

import type { ClientRequest, IncomingMessage } from "node:http";
import type { OutgoingHttpHeaders, ServerStreamResponseOptions } from "node:http2";
import { fromProject, passableTrailers } from "./project-headers.ts";
import { awaitsAnswer, fail, type StreamVisit } from "./stream-visit.ts";

/**
 * Passes on the answer's head, body and trailers; an answer that the project breaks off is broken off for the
 * visitor too.
 */
export function passAnswer(visit: StreamVisit, project: ClientRequest, response: IncomingMessage): void {
  const { stream, guard } = visit;
  const mayHaveTrailers = response.headers["transfer-encoding"] !== undefined;
  if (!beginAnswer(visit, fromProject(response), { waitForTrailers: mayHaveTrailers }))
    return void project.destroy();
  const breakOff = guard(() => fail(stream, "bad_response"));
  const end = guard(() => (response.complete ? void stream.end() : fail(stream, "bad_response")));
  const sendTrailers = guard(() => stream.sendTrailers(passableTrailers(response.trailers)));
  if (mayHaveTrailers) stream.once("wantTrailers", sendTrailers);
  response.on("error", breakOff).once("end", end).pipe(stream, { end: false });
}

/**
 * Begins the answer. Returns false when it is too late for an answer, or when HTTP/2 cannot express it: then
 * the visitor has got an error.
 */
export function beginAnswer(
  { stream, context }: StreamVisit,
  headers: OutgoingHttpHeaders,
  options?: ServerStreamResponseOptions,
): boolean {
  if (!awaitsAnswer(stream)) return false;
  try {
    stream.respond(headers, options);
  } catch {
    fail(stream, "bad_response");
    return false;
  }
  stream.setTimeout(context.times.idleMs);
  return true;
}
