/** Posts a document to an address of somebody else's choice: checked, pinned, bounded in time and size. */

import { Agent, request } from "undici";
import type { DeliveryErrorCode } from "@tijolo/protocol";
import { checkedLookup, PrivateAddressError, type Resolve } from "../outbound/checked-lookup.ts";
import { isForbiddenUrl, type AddressPolicy } from "../outbound/private-address.ts";

/** Milliseconds from the first step to the receiver's status. */
const totalMs = 5_000;

export type DeliveryResult =
  | { isSent: true }
  | { isSent: false; code: DeliveryErrorCode; status: number | null; retryAfterMs: number };

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface PostOptions {
  resolve: Resolve;
  policy: AddressPolicy;
  signal: AbortSignal;
}

/**
 * Posts the document once. The receiver's status decides, and nothing of its body is read; redirects are not
 * followed. Throws when `signal` was aborted before an answer.
 */
export async function postJson(
  post: Post,
  { resolve, policy, signal }: PostOptions,
): Promise<DeliveryResult> {
  // A connection to an IP address makes no lookup.
  if (isForbiddenUrl(post.url, policy)) return failed("private_address");
  const deadline = AbortSignal.timeout(totalMs);
  const dispatcher = new Agent({
    connections: 1,
    connect: { timeout: totalMs, lookup: checkedLookup(resolve, policy) },
  });
  try {
    const answer = await request(post.url, {
      dispatcher,
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "Tijolo", ...post.headers },
      body: post.body,
      signal: AbortSignal.any([signal, deadline]),
      headersTimeout: totalMs,
    });
    answer.body.on("error", () => {});
    answer.body.destroy();
    return resultOf(answer.statusCode, answer.headers["retry-after"]);
  } catch (error) {
    signal.throwIfAborted();
    if (isCausedByAddress(error)) return failed("private_address");
    return failed(deadline.aborted || isTimeout(error) ? "timeout" : "unreachable");
  } finally {
    // Not waited for: a lookup that hangs holds it until the deadline of the connection.
    dispatcher.destroy().catch(() => {});
  }
}

function resultOf(status: number, retryAfter: string | string[] | undefined): DeliveryResult {
  if (status >= 200 && status < 300) return { isSent: true };
  const code = status >= 300 && status < 400 ? "redirect" : "status";
  return { ...failed(code), status, retryAfterMs: status === 429 ? readRetryAfter(retryAfter) : 0 };
}

/** Reads seconds, as Discord sends them, with or without a fraction; a date is not read. */
function readRetryAfter(text: string | string[] | undefined): number {
  const seconds = typeof text === "string" && /^\d{1,7}(?:\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  return Math.ceil(seconds * 1000);
}

function failed(code: DeliveryErrorCode): Extract<DeliveryResult, { isSent: false }> {
  return { isSent: false, code, status: null, retryAfterMs: 0 };
}

function isCausedByAddress(error: unknown): boolean {
  return error instanceof Error && (error instanceof PrivateAddressError || isCausedByAddress(error.cause));
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "UND_ERR_CONNECT_TIMEOUT" || error.code === "UND_ERR_HEADERS_TIMEOUT")
  );
}
