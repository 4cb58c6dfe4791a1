/** Sends a document: nothing when the caller has it already, compressed when the caller accepts that. */

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../app/clock.ts";
import { acceptsCoding } from "../edge/accepts-coding.ts";
import { addVary } from "../edge/add-vary.ts";

const compress = promisify(gzip);
const keptAtMost = 8;
/**
 * Most documents that are compressed per minute: a caller who asks under ever new addresses gets documents
 * that nobody asked for before.
 */
const madePerMinute = 30;
const minuteMs = 60_000;

/** Caches the last few documents, compressed: all callers ask for the same ones. */
export class CompressedDocuments {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Promise<Buffer>>();
  #window = { startedAt: Number.NEGATIVE_INFINITY, made: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the compressed document; null when too many were compressed just now. */
  find(text: string, etag: string): Promise<Buffer> | null {
    const known = this.#kept.get(etag);
    if (known !== undefined) return known;
    if (!this.#mayMake()) return null;
    const made = compress(text);
    this.#kept.set(etag, made);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptAtMost && oldest !== undefined) this.#kept.delete(oldest);
    return made;
  }

  #mayMake(): boolean {
    const now = this.#clock.now();
    if (Math.abs(now - this.#window.startedAt) >= minuteMs) this.#window = { startedAt: now, made: 0 };
    if (this.#window.made >= madePerMinute) return false;
    this.#window.made++;
    return true;
  }
}

export interface DocumentExchange {
  request: FastifyRequest;
  /** Reply to send; its header ETag tells the document from all others. */
  reply: FastifyReply;
  compressed: CompressedDocuments;
}

export async function sendDocument(
  text: string,
  contentType: string,
  { request, reply, compressed }: DocumentExchange,
): Promise<void> {
  const etag = String(reply.getHeader("etag"));
  addVary(reply, "accept-encoding");
  if (isKnown(request.headers["if-none-match"], etag)) {
    reply.code(304).send();
    return;
  }
  reply.code(200).header("content-type", contentType);
  const body = acceptsCoding(request.headers["accept-encoding"], "gzip")
    ? await compressed.find(text, etag)
    : null;
  if (body === null) reply.send(text);
  else reply.header("content-encoding", "gzip").send(body);
}

/**
 * True when the caller has the document already. The header is a list of tags, weak ones too: a proxy that
 * compresses weakens them. `@fastify/etag` would hash each document for each request, and `fresh`, which
 * compares tags, sends a document again to a caller with `Cache-Control: no-cache`, although its tag has just
 * confirmed what the caller has.
 */
export function isKnown(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
