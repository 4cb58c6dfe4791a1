/** Decides which headers of a visitor reach the project, and which of the project's reach the visitor. */

import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { IncomingHttpHeaders as IncomingHttp2Headers } from "node:http2";
import { internalPrefix, projectHeader } from "@tijolo/protocol";
import { ownCookies } from "./own-cookies.ts";

/** Headers that belong to one connection, never to the next (RFC 9110, 7.6.1, and what old clients send). */
const connectionHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/** Headers that only this server and gateways set; a visitor's own are dropped. */
const forwardedHeaders = new Set(["forwarded", "x-real-ip", "x-forwarded"]);

const maxVisitorHeaders = 200;

/**
 * True when a visitor's headers or trailers, raw as Node gives them, are more than fits into what a tunnel
 * carries for one visit.
 */
export function hasTooMany(rawHeaders: readonly string[]): boolean {
  return rawHeaders.length > maxVisitorHeaders * 2;
}

/** The visitor as central knows it, from the connection or by trusted proxies. */
export interface Visitor {
  address: string;
  protocol: "http" | "https";
}

/** Returns the header block of the request over the tunnel, without `:method`. */
export function requestHeaders(
  request: IncomingMessage,
  visit: { visitor: Visitor; projectId: string; host: string; path: string },
): OutgoingHttpHeaders {
  const named = connectionTokens(request.headers);
  const headers: OutgoingHttpHeaders = { ":path": visit.path, ":scheme": "http", ":authority": visit.host };
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name === "host" || named.has(name) || isReserved(name)) continue;
    if (name === "expect" && String(value).toLowerCase() !== "100-continue") continue;
    headers[name] = value;
  }
  headers["x-forwarded-for"] = visit.visitor.address;
  headers["x-real-ip"] = visit.visitor.address;
  headers["x-forwarded-host"] = visit.host;
  headers["x-forwarded-proto"] = visit.visitor.protocol;
  headers[projectHeader] = visit.projectId;
  return headers;
}

/**
 * Returns the header block of the answer to the visitor. Below a domain of the site's own it may set cookies for all
 * names.
 */
export function responseHeaders(
  upstream: IncomingHttp2Headers,
  { hasOwnDomain }: { hasOwnDomain: boolean },
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(upstream)) {
    if (
      value === undefined ||
      name.startsWith(":") ||
      name.startsWith(internalPrefix) ||
      connectionHeaders.has(name)
    )
      continue;
    headers[name] = value;
  }
  const sent = [upstream["set-cookie"] ?? []].flat();
  const cookies = hasOwnDomain ? sent : ownCookies(sent);
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  else delete headers["set-cookie"];
  return headers;
}

/** Returns the trailers that may be passed on: none that change a message's framing, routing or trust. */
export function passableTrailers(trailers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const passable: Record<string, string> = {};
  for (const [name, value] of Object.entries(trailers)) {
    if (value === undefined || name.startsWith(":") || isReserved(name)) continue;
    if (["content-length", "host", "authorization", "cookie", "set-cookie", "trailer"].includes(name))
      continue;
    passable[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return passable;
}

/**
 * True for reserved names. Some frameworks read `X_Forwarded_For` as `X-Forwarded-For`, so both spellings are
 * reserved.
 */
function isReserved(name: string): boolean {
  const plain = name.replaceAll("_", "-");
  return (
    connectionHeaders.has(plain) ||
    forwardedHeaders.has(plain) ||
    plain.startsWith("x-forwarded-") ||
    plain.startsWith(internalPrefix)
  );
}

function connectionTokens(headers: IncomingHttpHeaders): Set<string> {
  const tokens = new Set(
    (headers.connection ?? "")
      .toLowerCase()
      .split(",")
      .map((token) => token.trim()),
  );
  for (const name of ["content-length", "authorization", "cookie"]) tokens.delete(name);
  return tokens;
}
