/** Defines why an order of a certificate failed. */

/**
 * `unreachable`: the authority gave no answer in time; `nonsense`: an answer that is none of the protocol's;
 * `rate_limited`: to be tried later; `refused`: the authority's own reason; `validation`: it did not find
 * the proof of a name; `caa`: a record of the domain forbids this authority; `no_address`: the name leads
 * nowhere; `wrong_address`: it leads to somebody else; `hook_failed`: the DNS hook; `dns_not_seen`: what the
 * hook wrote did not appear in time.
 */
export type AcmeFault =
  | "unreachable"
  | "nonsense"
  | "rate_limited"
  | "refused"
  | "validation"
  | "caa"
  | "no_address"
  | "wrong_address"
  | "hook_failed"
  | "dns_not_seen";

const maxDetailLength = 500;

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
