/** Creates and finds accounts for operators. */

import { AppError, type AccountSummary, type PlanName } from "@tijolo/protocol";
import {
  findAccount,
  insertAccount,
  listAccounts as selectAccounts,
  listAccountsNamed,
  type AccountRow,
} from "../../store/tables/accounts/account.ts";
import { noUsage, sumUsageByAccount } from "../../store/tables/accounts/account-usage.ts";
import { countDomainsByAccount } from "../../store/tables/projects/domain.ts";
import { transact } from "../../store/store.ts";
import { findPersonByEmail } from "../../store/tables/people/person.ts";
import { accountWithUsage, viewAccount } from "./account-view.ts";
import type { AccountsContext } from "./accounts-context.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { newId } from "../new-id.ts";
import { recordAudit } from "../operators/audit.ts";

/** Most accounts that are listed where several have one name. */
const foundAtMost = 10;

export async function createAccount(
  app: AccountsContext,
  operator: OperatorActor,
  input: { name: string; plan: PlanName },
): Promise<AccountSummary> {
  const account = newAccount(app, input);
  await transact(app.db, async (tx) => {
    await insertAccount(tx, account);
    const { id, name, plan } = account;
    await recordAudit(app, tx, operator, { subject: { kind: "account", id, name }, after: { plan } });
  });
  return accountWithUsage(app, account, { ...noUsage, domains: 0 });
}

/** Makes an account row, which is not stored yet. */
export function newAccount(
  app: Pick<AccountsContext, "clock" | "random">,
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

/**
 * Lists accounts, oldest first; the cursor is the id of the last account that was seen. With `reference`,
 * lists those it finds.
 */
export async function listAccounts(
  app: AccountsContext,
  {
    reference,
    cursor,
    limit,
  }: { reference?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<{ accounts: AccountSummary[]; nextCursor: string | null }> {
  if (reference !== undefined) return { accounts: await findAccounts(app, reference), nextCursor: null };
  const usage = await sumUsageByAccount(app.db);
  const domains = await countDomainsByAccount(app.db);
  const rows = await selectAccounts(app.db, { after: cursor, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return {
    accounts: page.map((account) =>
      accountWithUsage(app, account, {
        ...(usage.get(account.id) ?? noUsage),
        domains: domains.get(account.id) ?? 0,
      }),
    ),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** Returns the account. Throws `not_found`. */
export async function getAccount(app: AccountsContext, id: string): Promise<AccountSummary> {
  const account = await findAccount(app.db, id);
  if (account === undefined) throw new AppError("not_found");
  return viewAccount(app, app.db, account);
}

/** Finds accounts by id, by the person's e-mail, or by name, which several may have. */
async function findAccounts(app: AccountsContext, reference: string): Promise<AccountSummary[]> {
  const person = reference.includes("@")
    ? await findPersonByEmail(app.db, reference.toLowerCase())
    : undefined;
  const one = await findAccount(app.db, person?.accountId ?? reference.toUpperCase());
  const found = one === undefined ? await listAccountsNamed(app.db, reference, foundAtMost) : [one];
  return Promise.all(found.map((account) => viewAccount(app, app.db, account)));
}
