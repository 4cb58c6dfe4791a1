/** Carries one visitor's request through a tunnel and its answer back, streaming both ways. */

import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from "node:http2";
import type { VisitTimes } from "./visit-times.ts";
import { sendPage } from "./pages.ts";
import { failureHeader, portHeader } from "@tijolo/protocol";
import { passableTrailers, requestHeaders, responseHeaders } from "./visit-headers.ts";

export interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  session: ClientHttp2Session;
  projectId: string;
  host: string;
  path: string;
  times: VisitTimes;
  /** Calls back when the answer is given or its connection closes. */
  whenOver: (listener: () => void) => void;
}

export function forwardRequest(visit: Visit): void {
  const { request, response, session, times } = visit;
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  const hasBody = isChunked || Number(request.headers["content-length"] ?? 0) > 0;
  let upstream: ClientHttp2Stream;
  try {
    const headers = { ":method": request.method ?? "GET", ...requestHeaders(request, visit) };
    upstream = session.request(headers, { endStream: !hasBody, waitForTrailers: isChunked });
  } catch {
    return sendPage(request, response, session.closed || session.destroyed ? "host_unreachable" : "bad_request");
  }

  upstream.setTimeout(times.headMs, () => {
    if (!response.headersSent) sendPage(request, response, "app_timeout");
    else response.destroy();
    upstream.close(constants.NGHTTP2_CANCEL);
  });
  upstream.on("error", () => {}); // 'close' follows and decides
  upstream.once("close", () => {
    if (!response.headersSent) sendPage(request, response, "host_unreachable");
    else if (!response.writableEnded) response.destroy();
  });
  visit.whenOver(() => upstream.close(constants.NGHTTP2_CANCEL));
  request.on("error", () => upstream.close(constants.NGHTTP2_CANCEL));

  upstream.on("headers", (headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
    if (headers[":status"] === 100 && !response.headersSent) response.writeContinue();
  });
  upstream.once("response", (headers) => {
    if (response.headersSent) return;
    upstream.setTimeout(times.idleMs);
    answer(visit, upstream, headers);
  });
  if (!hasBody) return;
  request.pipe(upstream);
  if (isChunked) upstream.once("wantTrailers", () => upstream.sendTrailers(passableTrailers(request.trailers)));
}

function answer({ request, response }: Visit, upstream: ClientHttp2Stream, headers: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
  const failure = headers[failureHeader];
  if (failure !== undefined) {
    sendFailure(request, response, String(failure), headers);
    upstream.close(constants.NGHTTP2_CANCEL);
    return;
  }
  // An answer before the end of the upload: what is left of it is not waited for.
  if (!request.complete) response.shouldKeepAlive = false;
  const passed = responseHeaders(headers);
  if (passed["content-length"] !== undefined || request.httpVersion !== "1.1" || request.method === "HEAD") delete passed["trailer"];
  try {
    response.writeHead(headers[":status"] ?? 502, passed);
  } catch {
    upstream.close(constants.NGHTTP2_CANCEL);
    return sendPage(request, response, "app_bad_response");
  }
  // The head waits for the first bytes of the body, but not for longer than this turn.
  setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders();
  });
  upstream.on("trailers", (trailers) => response.addTrailers(passableTrailers(trailers)));
  upstream.pipe(response, { end: false });
  upstream.once("end", () => {
    if (upstream.aborted || upstream.rstCode !== constants.NGHTTP2_NO_ERROR) response.destroy();
    else response.end();
  });
}

/** Shows the ingress's own failure as a page. */
export function sendFailure(request: IncomingMessage, response: ServerResponse, failure: string, headers: IncomingHttpHeaders): void {
  const port = /^\d{1,5}$/.exec(String(headers[portHeader]))?.[0];
  switch (failure) {
    case "not_here":
      return sendPage(request, response, "site_starting");
    case "not_listening":
      return sendPage(request, response, "app_not_listening", port === undefined ? {} : { port });
    case "timeout":
      return sendPage(request, response, "app_timeout");
    case "file_not_found":
      return sendPage(request, response, "file_not_found");
    case "overloaded":
      return sendPage(request, response, "overloaded");
    default:
      return sendPage(request, response, "app_bad_response");
  }
}
