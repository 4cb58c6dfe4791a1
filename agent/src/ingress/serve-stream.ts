/** One visit that arrived over the tunnel: finds out who answers it. */

import type { Agent } from "node:http";
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { Logger } from "pino";
import type { IngressTarget, IngressTimes } from "./ingress.ts";
import { trailersToProject } from "./project-headers.ts";
import { proxyRequest } from "./proxy-request.ts";
import { proxyUpgrade } from "./proxy-upgrade.ts";
import { serveStatic } from "./serve-static.ts";
import { failureHeader, portHeader, projectHeader, type IngressFailure } from "./tunnel-contract.ts";

export interface IngressContext {
  findTarget: (projectId: string) => IngressTarget | undefined;
  agent: Agent;
  times: IngressTimes;
  logger: Pick<Logger, "debug" | "warn">;
  /** Visits that wait for a project to listen. */
  waiting: { count: number };
}

export interface StreamVisit {
  stream: ServerHttp2Stream;
  headers: IncomingHttpHeaders;
  projectId: string;
  /** What came after the visitor's body, once it has come. */
  trailers: Record<string, string>;
  context: IngressContext;
}

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

/** Answers with the reason for which there is no answer; the gateway shows it as a page. Breaks off an answer that has begun. */
export function fail(stream: ServerHttp2Stream, failure: IngressFailure, port?: number): void {
  if (stream.destroyed || stream.closed) return;
  if (stream.headersSent) return stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  const status = { not_here: 503, not_listening: 502, bad_response: 502, timeout: 504, file_not_found: 404, overloaded: 503 }[failure];
  const headers: OutgoingHttpHeaders = { ":status": status, [failureHeader]: failure };
  if (port !== undefined) headers[portHeader] = String(port);
  stream.respond(headers, { endStream: true });
  stream.resume();
}
