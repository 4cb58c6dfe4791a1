/** Carries one visitor's WebSocket through a tunnel as an HTTP/2 extended CONNECT (RFC 8441). */

import { STATUS_CODES } from "node:http";
import {
  constants,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from "node:http2";
import type { Duplex } from "node:stream";
import { passAnswer, type Visit } from "./forward-request.ts";
import { joinStreams, resetStream } from "@tijolo/protocol/kit";
import { sendPage } from "./pages.ts";
import { upgradedHeader } from "@tijolo/protocol";
import { requestHeaders, responseHeaders } from "./visit-headers.ts";

/**
 * Forwards an upgrade. `visit.response` is assigned to `socket`; used only when the project does not accept.
 */
export function forwardUpgrade(visit: Visit & { socket: Duplex; head: Buffer }): void {
  const { request, response, session, socket, head, times, guard } = visit;
  let upstream: ClientHttp2Stream;
  try {
    upstream = session.request({
      ":method": "CONNECT",
      ":protocol": "websocket",
      ...requestHeaders(request, visit),
    });
  } catch {
    return sendPage(
      request,
      response,
      session.closed || session.destroyed ? "host_unreachable" : "bad_request",
    );
  }
  let isOpen = false;
  const cancel = guard(() => resetStream(upstream));
  const giveUp = guard(() => {
    if (!isOpen && !response.headersSent) sendPage(request, response, "app_timeout");
    else socket.destroy();
    cancel();
  });
  const close = guard(() => {
    if (isOpen) return;
    if (!response.headersSent) sendPage(request, response, "host_unreachable");
    else if (!response.writableEnded) response.destroy();
  });
  const answer = guard((headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
    if (response.headersSent || socket.destroyed) return cancel();
    upstream.setTimeout(times.idleMs);
    if (headers[upgradedHeader] === undefined) return passAnswer(visit, upstream, headers);
    isOpen = true;
    response.detachSocket(request.socket);
    socket.write(switchingHead(headers, visit.host), "latin1");
    if (head.length > 0) socket.unshift(head);
    joinStreams(
      { stream: socket, cut: () => socket.destroy(), endedWell: () => true },
      {
        stream: upstream,
        cut: cancel,
        endedWell: () => upstream.rstCode === constants.NGHTTP2_NO_ERROR && !upstream.aborted,
      },
    );
  });

  upstream.setTimeout(times.headMs, giveUp);
  upstream.on("error", () => {}); // 'close' follows and decides
  upstream.once("close", close);
  visit.whenOver(() => void setImmediate(cancel)); // by then a stream that has ended is closed
  upstream.once("response", answer);
}

function switchingHead(headers: IncomingHttpHeaders, host: string): string {
  const lines = [`HTTP/1.1 101 ${STATUS_CODES[101]}`, "Connection: Upgrade", "Upgrade: websocket"];
  for (const [name, value] of Object.entries(responseHeaders(headers, host))) {
    if (name === "date" || name === "content-length") continue;
    for (const each of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${each}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}
