/** Defines why an order of a certificate failed, and whether another authority may do better. */

import type { OrderFault } from "@tijolo/protocol";
import type { AcmeError } from "../acme/acme-error.ts";
import { onOneLine } from "../on-one-line.ts";

/** Thrown for what central finds out by itself; an authority's answer is an `AcmeError`. */
export class OrderError extends Error {
  override name = "OrderError";
  readonly fault: OrderFault;

  constructor(fault: OrderFault, detail: string, options?: ErrorOptions) {
    super(onOneLine(detail), options);
    this.fault = fault;
  }
}

export type OrderFailure = OrderError | AcmeError;

/** True when another authority may do better: the names are not at fault. */
export function isOfAuthority(fault: OrderFault): boolean {
  switch (fault) {
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
