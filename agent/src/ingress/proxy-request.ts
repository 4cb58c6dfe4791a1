/** Carries a visit to a project's own HTTP/1.1 server and its answer back, streaming both ways. */

import { request as requestHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import { fromProject, toProject } from "./project-headers.ts";
import { fail, type StreamVisit } from "./stream-visit.ts";
import { internalPrefix, maxTunnelHeaderBytes } from "@tijolo/protocol";
import { waitToListen } from "./wait-to-listen.ts";

/** A project that ignores `Expect: 100-continue` is sent the body after this long. */
const continueMs = 1_000;
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

export function proxyRequest(visit: StreamVisit, startedAt = performance.now(), isSecondTry = false): void {
  const { stream, headers, projectId, context } = visit;
  const target = context.findTarget(projectId);
  if (target?.kind !== "process") return fail(stream, "not_here");
  const method = headers[":method"] ?? "GET";
  const hasBody = !stream.endAfterHeaders;
  const sent = toProject(headers);
  if (hasBody && sent["content-length"] === undefined) sent["transfer-encoding"] = "chunked";
  // A kept connection may be closed by the project at the moment it is used: only what can be sent twice goes over one.
  const isRepeatable = !hasBody && safeMethods.has(method) && !isSecondTry;
  let project: ClientRequest;
  try {
    project = requestHttp({
      host: target.address,
      port: target.port,
      method,
      path: headers[":path"] ?? "/",
      headers: sent,
      setHost: false,
      agent: isRepeatable ? context.agent : false,
      maxHeaderSize: maxTunnelHeaderBytes / 2,
      insecureHTTPParser: false,
    });
  } catch {
    return fail(stream, "bad_response");
  }

  let answer: IncomingMessage | undefined;
  const cancel = () => project.destroy();
  stream.once("close", cancel);
  const connectTimer = setTimeout(() => project.destroy(connectTimeout()), context.times.connectMs);
  project.once("close", () => clearTimeout(connectTimer));
  project.once("socket", (socket) => {
    const connected = () => {
      clearTimeout(connectTimer);
      if (hasBody) startBody(visit, project);
    };
    if (socket.connecting) socket.once("connect", connected);
    else connected();
  });
  if (!hasBody) project.end();

  project.once("response", (response) => {
    answer = response;
    if (stream.destroyed) return;
    stream.setTimeout(context.times.idleMs);
    respond(stream, project, response);
  });
  project.once("upgrade", (_, socket) => {
    socket.destroy();
    fail(stream, "bad_response");
  });
  project.on("error", (error: NodeJS.ErrnoException) => {
    if (answer !== undefined || stream.destroyed || stream.headersSent) return; // the answer's own end or break decides
    stream.off("close", cancel);
    if (isUnconnected(error))
      return waitToListen(visit, { startedAt, port: target.port, retry: () => proxyRequest(visit, startedAt, isSecondTry) });
    if (isRepeatable && project.reusedSocket && error.code === "ECONNRESET") return proxyRequest(visit, startedAt, true);
    context.logger.debug({ projectId, error: error.message }, "a project broke off before its answer");
    fail(stream, "bad_response");
  });
}

function startBody(visit: StreamVisit, project: ClientRequest): void {
  const { stream } = visit;
  const expectsContinue = visit.headers["expect"] !== undefined;
  let hasBegun = false;
  const begin = () => {
    clearTimeout(timer);
    if (hasBegun || stream.destroyed || project.destroyed) return;
    hasBegun = true;
    if (expectsContinue && !stream.headersSent) stream.additionalHeaders({ ":status": 100 });
    stream.pipe(project, { end: false });
    // The head waits for the first bytes of the body, but not for longer than this turn: a visitor may want the answer's head first.
    setImmediate(() => {
      if (!project.destroyed) project.flushHeaders();
    });
    stream.once("end", () => {
      if (stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR) project.destroy();
      else {
        if (project.hasHeader("transfer-encoding")) project.addTrailers(visit.trailers);
        project.end();
      }
    });
  };
  let timer: NodeJS.Timeout | undefined;
  if (!expectsContinue) return begin();
  timer = setTimeout(begin, continueMs);
  project.once("continue", begin);
  project.once("response", () => clearTimeout(timer));
  project.once("close", () => clearTimeout(timer));
}

function respond(stream: ServerHttp2Stream, project: ClientRequest, response: IncomingMessage): void {
  const headers = fromProject(response);
  const mayHaveTrailers = response.headers["transfer-encoding"] !== undefined;
  try {
    stream.respond(headers, { waitForTrailers: mayHaveTrailers });
  } catch {
    project.destroy();
    return fail(stream, "bad_response");
  }
  if (mayHaveTrailers) {
    stream.once("wantTrailers", () => {
      const trailers = Object.entries(response.trailers).filter(([name]) => !name.startsWith(internalPrefix) && name !== "content-length");
      stream.sendTrailers(Object.fromEntries(trailers));
    });
  }
  response.pipe(stream, { end: false });
  response.once("end", () => {
    if (!response.complete) return fail(stream, "bad_response");
    stream.end();
  });
  response.on("error", () => fail(stream, "bad_response"));
}

function isUnconnected(error: NodeJS.ErrnoException): boolean {
  return ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"].includes(error.code ?? "");
}

function connectTimeout(): NodeJS.ErrnoException {
  return Object.assign(new Error("the project's address does not answer"), { code: "ETIMEDOUT" });
}
