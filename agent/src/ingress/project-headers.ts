/** Translates headers between the tunnel (HTTP/2) and a project (HTTP/1.1). */

import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { IncomingHttpHeaders, OutgoingHttpHeaders as OutgoingHttp2Headers } from "node:http2";
import { internalPrefix } from "@tijolo/protocol";

const connectionHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "te",
]);

/**
 * Returns the headers that the project receives, without Tijolo's own. `isChunked`: a body follows whose
 * length is not stated; only that has trailers.
 */
export function toProject(
  headers: IncomingHttpHeaders,
  { isChunked }: { isChunked: boolean },
): OutgoingHttpHeaders {
  const sent: OutgoingHttpHeaders = { host: headers[":authority"] };
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(":") || isReserved(name) || (name === "trailer" && !isChunked))
      continue;
    sent[name] = value;
  }
  if (isChunked) sent["transfer-encoding"] = "chunked";
  return sent;
}

/** Returns the trailers that may be passed on. Sensitive ones arrive as a symbol key, which is not copied. */
export function passableTrailers(trailers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const entries = Object.entries(trailers).filter(
    ([name]) => !name.startsWith(":") && !isReserved(name) && name !== "content-length",
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** Returns the headers that the visitor receives. A project cannot set Tijolo's own headers. */
export function fromProject(response: IncomingMessage): OutgoingHttp2Headers {
  const status = response.statusCode ?? 502;
  const named = new Set(
    (response.headers.connection ?? "")
      .toLowerCase()
      .split(",")
      .map((token) => token.trim()),
  );
  const sent: OutgoingHttp2Headers = { ":status": status };
  for (const [name, value] of Object.entries(response.headers)) {
    if (value === undefined || isReserved(name) || named.has(name)) continue;
    if (name === "content-length" && (status === 204 || status === 205 || status < 200)) continue;
    sent[name] = value;
  }
  return sent;
}

function isReserved(name: string): boolean {
  return connectionHeaders.has(name) || name.startsWith(internalPrefix);
}
