/** Which accounts the operators' list shows, as its address says it. Pure. */

import type { AccountSummary } from "@tijolo/protocol/client";

export interface AccountSearch {
  /** Id, e-mail or name of an account; the server finds it. */
  q?: string;
  plan?: string;
  state?: "suspended" | "good";
}

/** Keeps what is understood of an address, which anybody may have typed. */
export function readAccountSearch(search: Record<string, unknown>): AccountSearch {
  const { q, plan, state } = search;
  return {
    ...(typeof q === "string" && q.trim() !== "" ? { q: q.trim().slice(0, 254) } : {}),
    ...(typeof plan === "string" && plan !== "" ? { plan: plan.slice(0, 20) } : {}),
    ...(state === "suspended" || state === "good" ? { state } : {}),
  };
}

/** True for an account that the filters let through. */
export function isShown(
  account: Pick<AccountSummary, "plan" | "suspendedAt">,
  search: AccountSearch,
): boolean {
  const isSuspended = account.suspendedAt !== null;
  return (
    (search.plan === undefined || account.plan === search.plan) &&
    (search.state === undefined || isSuspended === (search.state === "suspended"))
  );
}
