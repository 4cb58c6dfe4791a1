/** Handles one visit that arrived over the tunnel: finds out who answers it. */

import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { passableTrailers } from "./project-headers.ts";
import { proxyRequest } from "./proxy-request.ts";
import { proxyUpgrade } from "./proxy-upgrade.ts";
import { serveStatic } from "./serve-static.ts";
import { fail, type IngressContext, type StreamVisit } from "./stream-visit.ts";
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
  const { stream, headers, projectId, context, guard } = visit;
  const target = context.findTarget(projectId);
  if (target === undefined) return fail(stream, "not_here");
  const giveUp = guard(() => fail(stream, "timeout"));
  const keepTrailers = guard(
    (trailers: IncomingHttpHeaders) => void Object.assign(visit.trailers, passableTrailers(trailers)),
  );
  stream.setTimeout(context.times.headMs, giveUp);
  stream.once("trailers", keepTrailers);
  if (headers[":protocol"] === "websocket") return proxyUpgrade(visit);
  if (headers[":method"] === "CONNECT") return fail(stream, "bad_response");
  if (target.kind === "process") return proxyRequest(visit);
  serveStatic(visit, target).catch(end);
}
