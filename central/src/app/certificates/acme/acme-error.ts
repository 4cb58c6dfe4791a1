/** Defines why an authority gave no certificate. */

import type { OrderFault } from "@tijolo/protocol";
import { onOneLine } from "../on-one-line.ts";

/** Faults that an authority's answers, or their absence, show. */
export type AcmeFault = Extract<
  OrderFault,
  "unreachable" | "nonsense" | "rate_limited" | "refused" | "caa" | "validation"
>;

export class AcmeError extends Error {
  override name = "AcmeError";
  readonly fault: AcmeFault;
  /** The authority's own name of the error, without its namespace (`badNonce`); null without one. */
  readonly type: string | null;
  /** Time before which the authority wants no other try; null: it did not say. */
  readonly retryAt: number | null;

  constructor(
    fault: AcmeFault,
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
}
