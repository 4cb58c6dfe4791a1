/** Names the request headers that a response depends on (RFC 9110, 12.5.5), for caches. */

import type { FastifyReply } from "fastify";

/** Adds a header to those that the response depends on. */
export function addVary(reply: FastifyReply, header: string): void {
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? header : `${String(vary)}, ${header}`);
}
