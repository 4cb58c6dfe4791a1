/** Accounts, as an operator makes and finds them. */

import type { AccountSummary, PlanName } from "@tijolo/protocol";
import {
  findAccount,
  insertAccount,
  listAccounts as selectAccounts,
  listAccountsNamed,
  type AccountRow,
} from "../../store/tables/account.ts";
import { noUsage, sumUsageByAccount } from "../../store/tables/account-usage.ts";
import { transact } from "../../store/store.ts";
import { findPersonByEmail } from "../../store/tables/person.ts";
import { accountWithUsage, viewAccount } from "./account-view.ts";
import type { AppContext } from "../context.ts";
import { newId } from "../new-id.ts";

/** As many are told apart where several have one name. */
const foundAtMost = 10;

export async function createAccount(
  app: AppContext,
  input: { name: string; plan: PlanName },
): Promise<AccountSummary> {
  const account = newAccount(app, input);
  await transact(app.db, (tx) => insertAccount(tx, account));
  return accountWithUsage(app, account, noUsage);
}

/** Not stored yet. */
export function newAccount(
  app: Pick<AppContext, "clock" | "random">,
  { name, plan }: { name: string; plan: PlanName },
): AccountRow {
  return {
    id: newId(app),
    name,
    plan,
    suspendedAt: null,
    stopsAt: null,
    betaEndsAt: null,
    createdAt: app.clock.now(),
  };
}

export async function listAccounts(app: AppContext): Promise<AccountSummary[]> {
  const usage = await sumUsageByAccount(app.db);
  return (await selectAccounts(app.db)).map((account) =>
    accountWithUsage(app, account, usage.get(account.id) ?? noUsage),
  );
}

/** By id, by its person's e-mail, or by name: several may have one. */
export async function findAccounts(app: AppContext, reference: string): Promise<AccountSummary[]> {
  const person = reference.includes("@")
    ? await findPersonByEmail(app.db, reference.toLowerCase())
    : undefined;
  const one = await findAccount(app.db, person?.accountId ?? reference.toUpperCase());
  const found = one === undefined ? await listAccountsNamed(app.db, reference, foundAtMost) : [one];
  return Promise.all(found.map((account) => viewAccount(app, app.db, account)));
}
