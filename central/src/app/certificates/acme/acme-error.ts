/** Defines why an order of a certificate failed. */

import type { OrderFault } from "@tijolo/protocol";

const maxDetailLength = 500;

export class AcmeError extends Error {
  override name = "AcmeError";
  readonly fault: OrderFault;
  /** The authority's own name of the error, without its namespace (`badNonce`); null without one. */
  readonly type: string | null;
  /** Time before which the authority wants no other try; null: it did not say. */
  readonly retryAt: number | null;

  constructor(
    fault: OrderFault,
    detail: string,
    {
      type = null,
      retryAt = null,
      cause,
    }: { type?: string | null; retryAt?: number | null; cause?: unknown } = {},
  ) {
    super(onOneLine(detail), { cause });
    this.fault = fault;
    this.type = type;
    this.retryAt = retryAt;
  }

  /** True when another authority may do better: the names are not at fault. */
  get isOfAuthority(): boolean {
    switch (this.fault) {
      case "unreachable":
      case "nonsense":
      case "rate_limited":
      case "refused":
      case "caa":
        return true;
      case "validation":
      case "no_address":
      case "wrong_address":
      case "hook_failed":
      case "dns_not_seen":
        return false;
    }
  }
}

/** Bounds a text that others wrote: one line, nothing that controls a terminal. */
export function onOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, maxDetailLength);
}
