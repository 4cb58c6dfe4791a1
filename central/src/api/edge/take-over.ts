/** Takes a response over from fastify, to be written by hand. */

import type { FastifyReply } from "fastify";

/** Takes over; the headers that were set so far are kept. */
export function takeOver(reply: FastifyReply): void {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}
