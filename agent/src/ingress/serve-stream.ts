/** One visit that arrived over the tunnel: finds out who answers it. */

import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { trailersToProject } from "./project-headers.ts";
import { proxyRequest } from "./proxy-request.ts";
import { proxyUpgrade } from "./proxy-upgrade.ts";
import { serveStatic } from "./serve-static.ts";
import { fail, type IngressContext, type StreamVisit } from "./stream-visit.ts";
import { projectHeader } from "@tijolo/protocol";

export function serveStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, context: IngressContext): void {
  stream.on("error", (error) => context.logger.debug({ error: error.message }, "a visit broke"));
  const projectId = String(headers[projectHeader] ?? "");
  const target = context.findTarget(projectId);
  if (target === undefined) return fail(stream, "not_here");
  stream.setTimeout(context.times.headMs, () => {
    if (stream.headersSent) stream.close(constants.NGHTTP2_CANCEL);
    else fail(stream, "timeout");
  });
  const visit: StreamVisit = { stream, headers, projectId, trailers: {}, context };
  stream.once("trailers", (trailers) => Object.assign(visit.trailers, trailersToProject(trailers)));
  if (headers[":protocol"] === "websocket") return proxyUpgrade(visit);
  if (headers[":method"] === "CONNECT") return fail(stream, "bad_response");
  if (target.kind === "process") return proxyRequest(visit);
  serveStatic(stream, headers, target.directory).catch((error: unknown) => {
    context.logger.warn({ projectId, error: error instanceof Error ? error.message : String(error) }, "a file could not be served");
    fail(stream, "bad_response");
  });
}
