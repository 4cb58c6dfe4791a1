import { AppError, type Plan } from "@tijolo/protocol";
import { findAccount, type AccountRow } from "../../store/tables/accounts/account.ts";
import type { Transaction } from "../../store/store.ts";
import type { AccountsContext } from "./accounts-context.ts";
import { planOf } from "./plan-of.ts";

/**
 * Returns the account as this transaction sees it: the one that came with the request was read before, for an
 * upload minutes before.
 */
export async function getAccountNow(
  app: Pick<AccountsContext, "plans">,
  tx: Transaction,
  id: string,
): Promise<{ account: Readonly<AccountRow>; plan: Plan }> {
  const account = await findAccount(tx, id);
  if (account === undefined) throw new AppError("not_found");
  return { account, plan: planOf(app, account.plan) };
}
