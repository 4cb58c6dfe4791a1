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
import { holdSession, joinStreams, resetStream } from "@tijolo/protocol/kit";
import { upgradedHeader } from "@tijolo/protocol";
import { requestHeaders, responseHeaders } from "./visit-headers.ts";

/**
 * A visit that asks for a WebSocket. `response` is assigned to `socket`; used only when the project does not
 * accept.
 */
type UpgradeVisit = Visit & { socket: Duplex; head: Buffer };

type ResponseHeaders = IncomingHttpHeaders & IncomingHttpStatusHeader;

export function forwardUpgrade(visit: UpgradeVisit): void {
  const { response, socket, showPage, times, guard } = visit;
  const upstream = openUpstream(visit);
  if (upstream === undefined) return;
  let isOpen = false;
  const cancel = guard(() => resetStream(upstream));
  const giveUp = guard(() => {
    if (!isOpen && !response.headersSent) showPage("app_timeout");
    else socket.destroy();
    cancel();
  });
  const close = guard(() => {
    if (isOpen) return;
    if (!response.headersSent) showPage("host_unreachable");
    else if (!response.writableEnded) response.destroy();
  });
  const answer = guard((headers: ResponseHeaders) => {
    if (response.headersSent || socket.destroyed) return cancel();
    upstream.setTimeout(times.idleMs);
    if (headers[upgradedHeader] === undefined) return passAnswer(visit, upstream, headers);
    isOpen = true;
    switchProtocols(visit, upstream, { headers, cancel });
  });

  upstream.setTimeout(times.headMs, giveUp);
  upstream.on("error", () => {}); // 'close' follows and decides
  upstream.once("close", close);
  visit.whenOver(() => void setImmediate(cancel)); // by then a stream that has ended is closed
  upstream.once("response", answer);
}

/** Opens a stream to the project in the tunnel. Where that fails, sends a page and returns undefined. */
function openUpstream(visit: UpgradeVisit): ClientHttp2Stream | undefined {
  const { request, session, showPage } = visit;
  try {
    const upstream = session.request({
      ":method": "CONNECT",
      ":protocol": "websocket",
      ...requestHeaders(request, visit),
    });
    holdSession(session, upstream);
    return upstream;
  } catch {
    const isClosed = session.closed || session.destroyed;
    showPage(isClosed ? "host_unreachable" : "bad_request");
    return undefined;
  }
}

/** Tells the visitor that the project accepted, and joins its socket with the stream to the project. */
function switchProtocols(
  visit: UpgradeVisit,
  upstream: ClientHttp2Stream,
  { headers, cancel }: { headers: ResponseHeaders; cancel: () => void },
): void {
  const { request, response, socket, head, record } = visit;
  record.begin(101);
  response.detachSocket(request.socket);
  socket.write(switchingHead(headers, visit), "latin1");
  if (head.length > 0) socket.unshift(head);
  joinStreams(
    { stream: socket, cut: () => socket.destroy(), endedWell: () => true },
    {
      stream: upstream,
      cut: cancel,
      endedWell: () => upstream.rstCode === constants.NGHTTP2_NO_ERROR && !upstream.aborted,
    },
  );
}

function switchingHead(headers: IncomingHttpHeaders, visit: UpgradeVisit): string {
  const lines = [`HTTP/1.1 101 ${STATUS_CODES[101]}`, "Connection: Upgrade", "Upgrade: websocket"];
  for (const [name, value] of Object.entries(responseHeaders(headers, visit))) {
    if (name === "date" || name === "content-length") continue;
    for (const each of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${each}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}
