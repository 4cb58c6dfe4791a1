/**
 * What Node's HTTP server would answer by itself, without our error body, comes to our routes like any other
 * request.
 */

import type { IncomingMessage, Server, ServerOptions } from "node:http";
import { AppError } from "@tijolo/protocol";
import { requestDetails } from "@tijolo/protocol/texts/central";
import type { FastifyRequest } from "fastify";

/**
 * Options of the server. Only agents upgrade; the offer that some clients make with every request is
 * overlooked.
 */
export const plainRequests = {
  requireHostHeader: false,
  shouldUpgradeCallback: ({ url = "" }: IncomingMessage) => url.startsWith("/link"),
} satisfies ServerOptions;

/** An expectation that we do not know is none (RFC 9110, 10.1.1, allows that). */
export function overlookExpectations(server: Server): void {
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/**
 * The HTTP library judges the type before our checks could; what it is shown instead is always well-formed.
 * The raw request keeps it.
 */
export function leaveContentType(request: FastifyRequest): void {
  if (request.raw.headers["content-type"] !== undefined)
    request.headers = { "content-type": "application/octet-stream" };
}

/** Throws `invalid_request` unless the request says once which host it is for (RFC 9112, 3.2). */
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

/** Names and values take turns. It runs with each request. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts;
}
