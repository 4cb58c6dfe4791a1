/** Carries one visitor's WebSocket through a tunnel as an HTTP/2 extended CONNECT (RFC 8441). */

import { STATUS_CODES } from "node:http";
import { constants, type ClientHttp2Stream, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from "node:http2";
import type { Duplex } from "node:stream";
import { sendFailure, type Visit } from "./forward-request.ts";
import { joinStreams } from "@tijolo/protocol/node";
import { sendPage } from "./pages.ts";
import { failureHeader, upgradedHeader } from "@tijolo/protocol";
import { requestHeaders, responseHeaders } from "./visit-headers.ts";

/** `visit.response` is assigned to `socket`; it is used only when the project does not accept. */
export function forwardUpgrade(visit: Visit & { socket: Duplex; head: Buffer }): void {
  const { request, response, session, socket, head, times } = visit;
  let upstream: ClientHttp2Stream;
  try {
    upstream = session.request({ ":method": "CONNECT", ":protocol": "websocket", ...requestHeaders(request, visit) });
  } catch {
    return sendPage(request, response, session.closed || session.destroyed ? "host_unreachable" : "bad_request");
  }
  let isOpen = false;
  const cancel = () => upstream.close(constants.NGHTTP2_CANCEL);
  upstream.setTimeout(times.headMs, () => {
    if (!isOpen && !response.headersSent) sendPage(request, response, "app_timeout");
    else socket.destroy();
    cancel();
  });
  upstream.on("error", () => {}); // 'close' follows and decides
  upstream.once("close", () => {
    if (isOpen) return;
    if (!response.headersSent) sendPage(request, response, "host_unreachable");
    else if (!response.writableEnded) response.destroy();
  });
  visit.whenOver(cancel);

  upstream.once("response", (headers) => {
    if (response.headersSent || socket.destroyed) return cancel();
    upstream.setTimeout(times.idleMs);
    if (headers[upgradedHeader] === undefined) return refuse(visit, upstream, headers);
    isOpen = true;
    response.detachSocket(request.socket);
    socket.write(switchingHead(headers));
    if (head.length > 0) socket.unshift(head);
    joinStreams(
      { stream: socket, cut: () => socket.destroy(), endedWell: () => true },
      { stream: upstream, cut: cancel, endedWell: () => upstream.rstCode === constants.NGHTTP2_NO_ERROR && !upstream.aborted },
    );
  });
}

/** The project answered with something else than a WebSocket. */
function refuse({ request, response }: Visit, upstream: ClientHttp2Stream, headers: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
  const failure = headers[failureHeader];
  if (failure !== undefined) {
    sendFailure(request, response, String(failure), headers);
    return upstream.close(constants.NGHTTP2_CANCEL);
  }
  const { trailer: _, ...passed } = responseHeaders(headers);
  response.writeHead(headers[":status"] ?? 502, passed);
  upstream.pipe(response);
}

function switchingHead(headers: IncomingHttpHeaders): string {
  const lines = [`HTTP/1.1 101 ${STATUS_CODES[101]}`, "Connection: Upgrade", "Upgrade: websocket"];
  for (const [name, value] of Object.entries(responseHeaders(headers))) {
    if (name === "date" || name === "content-length") continue;
    for (const each of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${each}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}
