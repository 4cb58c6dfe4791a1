/** Carries a visit to a project's own HTTP/1.1 server and its answer back, streaming both ways. */

import type { ClientRequest, IncomingMessage } from "node:http";
import { constants } from "node:http2";
import type { Duplex } from "node:stream";
import type { ProcessTarget } from "./ingress-options.ts";
import { passAnswer } from "./pass-answer.ts";
import { toProject } from "./project-headers.ts";
import { requestProject, whenConnected } from "./request-project.ts";
import { awaitsAnswer, fail, type Attempt, type StreamVisit } from "./stream-visit.ts";

/** Milliseconds after which a project that ignores `Expect: 100-continue` is sent the body. */
const continueMs = 1_000;
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

export function proxyRequest(visit: StreamVisit, target: ProcessTarget, attempt: Attempt): void {
  const { stream, headers, guard } = visit;
  const method = headers[":method"] ?? "GET";
  const hasBody = !stream.endAfterHeaders;
  const isChunked = hasBody && headers["content-length"] === undefined;
  const project = requestProject(visit, {
    target,
    method,
    headers: toProject(headers, { isChunked }),
    isRepeatable: !hasBody && safeMethods.has(method),
    attempt,
  });
  if (project === undefined) return;
  if (hasBody) whenConnected(visit, project, () => startBody(visit, project, isChunked));
  else project.end();
  const answer = guard((response: IncomingMessage) => passAnswer(visit, project, response));
  const refuse = guard((_: IncomingMessage, socket: Duplex) => {
    socket.destroy();
    fail(stream, "bad_response");
  });
  project.once("response", answer).once("upgrade", refuse);
}

function startBody(visit: StreamVisit, project: ClientRequest, isChunked: boolean): void {
  const { stream, guard } = visit;
  const expectsContinue = visit.headers["expect"] !== undefined;
  let hasBegun = false;
  const begin = guard(() => {
    clearTimeout(timer);
    if (hasBegun || stream.destroyed || project.destroyed) return;
    hasBegun = true;
    if (expectsContinue && awaitsAnswer(stream)) stream.additionalHeaders({ ":status": 100 });
    stream.pipe(project, { end: false });
    // The head waits for the first bytes of the body, but not for longer than this turn: a visitor may want
    // the answer's head first.
    setImmediate(flushHead);
    stream.once("end", end);
  });
  const flushHead = guard(() => {
    if (!project.destroyed) project.flushHeaders();
  });
  const end = guard(() => {
    if (stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR) return void project.destroy();
    if (isChunked) project.addTrailers(visit.trailers);
    project.end();
  });
  let timer: NodeJS.Timeout | undefined;
  if (!expectsContinue) return begin();
  timer = setTimeout(begin, continueMs);
  const stopWaiting = guard(() => clearTimeout(timer));
  project.once("continue", begin).once("response", stopWaiting).once("close", stopWaiting);
}
