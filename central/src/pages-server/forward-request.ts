/** Carries one visitor's request through a tunnel and its answer back, streaming both ways. */

import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from "node:http2";
import type { VisitRecord } from "./visit-record.ts";
import type { VisitTimes } from "./visit-times.ts";
import { pageOfStatus, type PageCode } from "./pages.ts";
import type { ShowPage } from "./show-page.ts";
import { failureHeader, portHeader, type ProjectStatus } from "@tijolo/protocol";
import { holdSession, resetStream, type Guard } from "@tijolo/protocol/kit";
import {
  hasTooMany,
  passableTrailers,
  requestHeaders,
  responseHeaders,
  type Visitor,
} from "./visit-headers.ts";

export interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  session: ClientHttp2Session;
  visitor: Visitor;
  projectId: string;
  /** Status of the site, for the page that says why it does not answer. */
  status: ProjectStatus;
  host: string;
  /** True for a domain of the site's own: its cookies are nobody else's affair. */
  hasOwnDomain: boolean;
  path: string;
  showPage: ShowPage;
  times: VisitTimes;
  record: VisitRecord;
  /** Calls back when the answer is given or its connection closes. */
  whenOver: (listener: () => void) => void;
  /**
   * Every listener and timer of the visit goes through it: what one throws ends the visit and nothing else.
   */
  guard: Guard;
}

export function forwardRequest(visit: Visit): void {
  const { request, response, session, showPage, times, guard } = visit;
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  const hasBody = isChunked || Number(request.headers["content-length"] ?? 0) > 0;
  let upstream: ClientHttp2Stream;
  try {
    const headers = { ":method": request.method ?? "GET", ...requestHeaders(request, visit) };
    upstream = session.request(headers, { endStream: !hasBody, waitForTrailers: isChunked });
    holdSession(session, upstream);
  } catch {
    return showPage(session.closed || session.destroyed ? "host_unreachable" : "bad_request");
  }
  const cancel = guard(() => resetStream(upstream));
  const endWith = (page: PageCode) =>
    guard(() => {
      if (!response.headersSent) showPage(page);
      else if (!response.writableEnded) response.destroy();
      cancel();
    });
  const passContinue = guard((headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
    if (headers[":status"] === 100 && !response.headersSent) response.writeContinue();
  });
  const answer = guard((headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
    if (response.headersSent) return;
    upstream.setTimeout(times.idleMs);
    passAnswer(visit, upstream, headers);
  });

  upstream.setTimeout(times.headMs, endWith("app_timeout"));
  upstream.on("error", () => {}); // 'close' follows and decides
  upstream.once("close", endWith("host_unreachable"));
  visit.whenOver(() => void setImmediate(cancel)); // by then a stream that has ended is closed
  request.on("error", cancel);
  upstream.on("headers", passContinue).once("response", answer);
  if (!hasBody) return;
  request.pipe(upstream);
  const refuseTrailers = endWith("headers_too_large");
  const sendTrailers = guard(() => {
    if (hasTooMany(request.rawTrailers)) refuseTrailers();
    else upstream.sendTrailers(passableTrailers(request.trailers));
  });
  if (isChunked) upstream.once("wantTrailers", sendTrailers);
}

/** Passes on the answer's head, body and trailers, or sends the page for the ingress's failure. */
export function passAnswer(
  visit: Visit,
  upstream: ClientHttp2Stream,
  headers: IncomingHttpHeaders & IncomingHttpStatusHeader,
): void {
  const { request, response, showPage, guard } = visit;
  const failure = headers[failureHeader];
  if (failure !== undefined) {
    sendFailure(visit, String(failure), headers);
    return resetStream(upstream);
  }
  // An answer before the end of the upload: what is left of it is not waited for.
  if (!request.complete) response.shouldKeepAlive = false;
  const status = headers[":status"] ?? 502;
  const passed = responseHeaders(headers, visit);
  const isChunked =
    passed["content-length"] === undefined &&
    request.httpVersion === "1.1" &&
    request.method !== "HEAD" &&
    status !== 204 &&
    status !== 304;
  if (!isChunked) delete passed["trailer"];
  try {
    response.writeHead(status, passed);
    visit.record.begin(status);
  } catch {
    resetStream(upstream);
    return showPage("app_bad_response");
  }
  const flushHead = guard(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders();
  });
  const keepTrailers = guard((trailers: IncomingHttpHeaders) =>
    response.addTrailers(passableTrailers(trailers)),
  );
  const end = guard(() => {
    if (upstream.aborted || upstream.rstCode !== constants.NGHTTP2_NO_ERROR) response.destroy();
    else response.end();
  });
  // The head waits for the first bytes of the body, but not for longer than this turn.
  setImmediate(flushHead);
  upstream.on("trailers", keepTrailers).once("end", end).pipe(response, { end: false });
}

/** Shows the ingress's own failure as a page. */
function sendFailure({ status, showPage }: Visit, failure: string, headers: IncomingHttpHeaders): void {
  const port = /^\d{1,5}$/.exec(String(headers[portHeader]))?.[0];
  switch (failure) {
    case "not_here":
      return showPage(pageOfStatus(status));
    case "starting":
      return showPage("site_starting");
    case "not_listening":
      return showPage("app_not_listening", port === undefined ? {} : { port });
    case "timeout":
      return showPage("app_timeout");
    case "file_not_found":
      return showPage("file_not_found");
    case "overloaded":
      return showPage("overloaded");
    default:
      return showPage("app_bad_response");
  }
}
