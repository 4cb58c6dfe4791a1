/** Accounts and their keys, as an operator makes them. */

import { AppError, scopesOfLevel, type AccountSummary, type KeyLevel, type PlanName, type Scope } from "@tijolo/protocol";
import { countKeys, findAccount, insertAccount, insertKey, listAccounts as selectAccounts, type AccountRow } from "../db/account.ts";
import { transact } from "../db/open-database.ts";
import type { AppContext } from "./context.ts";
import { newId } from "./new-id.ts";
import { hashSecret, makeSecret } from "./secret.ts";

const maxKeysPerAccount = 10;
const prefixLength = 12;

export async function createAccount(app: AppContext, input: { name: string; plan: PlanName }): Promise<AccountSummary> {
  const account: AccountRow = { id: newId(app), ...input, suspendedAt: null, createdAt: app.clock.now() };
  await transact(app.db, (tx) => insertAccount(tx, account));
  return viewAccount(account);
}

export async function listAccounts(app: AppContext): Promise<AccountSummary[]> {
  return (await selectAccounts(app.db)).map(viewAccount);
}

/** Answers the key whole, for the only time. */
export async function createKey(
  app: AppContext,
  input: { accountId: string; name: string; level: KeyLevel; scopes: Scope[] },
): Promise<{ id: string; key: string }> {
  const key = makeSecret("svc_", app.random);
  const id = newId(app);
  await transact(app.db, async (tx) => {
    if ((await findAccount(tx, input.accountId)) === undefined) throw new AppError("not_found");
    if ((await countKeys(tx, input.accountId)) >= maxKeysPerAccount) {
      throw new AppError("invalid_request", { detail: `Uma conta tem no máximo ${maxKeysPerAccount} chaves.` });
    }
    await insertKey(tx, {
      id,
      accountId: input.accountId,
      name: input.name,
      prefix: key.slice(0, prefixLength),
      hash: hashSecret(key),
      level: input.level,
      scopes: [...new Set([...scopesOfLevel[input.level], ...input.scopes])],
      createdAt: app.clock.now(),
      lastUsedAt: null,
    });
  });
  return { id, key };
}

function viewAccount(account: AccountRow): AccountSummary {
  return { id: account.id, name: account.name, plan: account.plan, createdAt: new Date(account.createdAt).toISOString() };
}
