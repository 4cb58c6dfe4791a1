/** Handles one visit that arrived over the tunnel: finds out who answers it. */

import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { passableTrailers } from "./project-headers.ts";
import { proxyRequest } from "./proxy-request.ts";
import { proxyUpgrade } from "./proxy-upgrade.ts";
import { serveStatic } from "./serve-static.ts";
import { fail, type Attempt, type IngressContext, type StreamVisit } from "./stream-visit.ts";
import { projectHeader } from "@tijolo/protocol";
import { createGuard } from "@tijolo/protocol/kit";

export function serveStream(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  context: IngressContext,
): void {
  stream.on("error", (error) => context.logger.debug({ error: error.message }, "a visit broke"));
  const projectId = String(headers[projectHeader] ?? "");
  const end = (error: unknown) => {
    const level = stream.destroyed ? "debug" : "warn"; // a visitor who has left makes much fail that is no fault
    context.logger[level]({ projectId, err: error }, "a visit failed");
    fail(stream, "bad_response");
  };
  const guard = createGuard(end);
  guard(() => serveVisit({ stream, headers, projectId, trailers: {}, context, guard }, end))();
}

function serveVisit(visit: StreamVisit, end: (error: unknown) => void): void {
  const { stream, headers, context, guard } = visit;
  const giveUp = guard(() => fail(stream, "timeout"));
  const keepTrailers = guard(
    (trailers: IncomingHttpHeaders) => void Object.assign(visit.trailers, passableTrailers(trailers)),
  );
  stream.setTimeout(context.times.headMs, giveUp);
  stream.once("trailers", keepTrailers);
  if (headers[":method"] === "CONNECT" && headers[":protocol"] !== "websocket")
    return fail(stream, "bad_response");
  const attempt: Attempt = {
    startedAt: performance.now(),
    mayReuse: true,
    retry: () => passOn(visit, attempt, end),
  };
  attempt.retry();
}

/** Passes the visit to what answers for its site now, or holds it until something does. */
function passOn(visit: StreamVisit, attempt: Attempt, end: (error: unknown) => void): void {
  const { stream, headers, projectId, context } = visit;
  const target = context.findTarget(projectId);
  if (target === undefined) return fail(stream, "not_here");
  const isWebSocket = headers[":protocol"] === "websocket";
  switch (target.kind) {
    case "soon":
      return context.held.hold(visit, attempt);
    case "static":
      if (isWebSocket) return fail(stream, "file_not_found");
      return void serveStatic(visit, target).catch(end);
    case "process":
      return isWebSocket ? proxyUpgrade(visit, target, attempt) : proxyRequest(visit, target, attempt);
  }
}
