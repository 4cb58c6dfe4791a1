/**
 * Passes on to our routes, like any other request, what Node's HTTP server would answer by itself, without
 * our error body.
 */

import type { IncomingMessage, Server, ServerOptions } from "node:http";
import { AppError } from "@tijolo/protocol";
import { requestDetails } from "@tijolo/protocol/texts/central";
import type { FastifyRequest } from "fastify";

/**
 * Options of the server. Only agents upgrade; the offer to upgrade that some clients make with every request
 * is ignored.
 */
export const plainRequests = {
  requireHostHeader: false,
  shouldUpgradeCallback: ({ url = "" }: IncomingMessage) => url.startsWith("/link"),
} satisfies ServerOptions;

/** Ignores an unknown expectation (RFC 9110, 10.1.1, allows that). */
export function overlookExpectations(server: Server): void {
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/**
 * Hides the content type from the HTTP library, which judges it before our checks could; what it gets instead
 * is always well-formed. The raw request keeps the type.
 */
export function leaveContentType(request: FastifyRequest): void {
  if (request.raw.headers["content-type"] !== undefined)
    request.headers = { "content-type": "application/octet-stream" };
}

/** Throws `invalid_request` unless the request names its host exactly once (RFC 9112, 3.2). */
export function assertHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  const hosts = countHosts(rawHeaders);
  if (hosts > 1)
    throw new AppError("invalid_request", {
      detail: requestDetails.repeatedHost,
    });
  if (hosts === 0 && httpVersion !== "1.0")
    throw new AppError("invalid_request", {
      detail: requestDetails.noHost,
    });
}

/** Counts the Host headers in a list where names and values alternate. It runs with each request. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts;
}
