/** Builds the account as its owner sees it: its plan, its usage, and how many requests are left. */

import type { Account } from "@tijolo/protocol";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { viewAccount } from "./account-view.ts";
import type { AccountsContext } from "./accounts-context.ts";
import { planOf } from "./plan-of.ts";

export async function getOwnAccount(app: AccountsContext, account: AccountRow): Promise<Account> {
  const [view, requests] = await Promise.all([
    viewAccount(app, app.db, account),
    app.requestRates.standing(account.id, planOf(app, account.plan)),
  ]);
  return { ...view, requests };
}
