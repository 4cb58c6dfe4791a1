/** Manages an account's API keys: listing, making and revoking them (spec: Authentication 2 to 9). */

import {
  AppError,
  levelOfScopes,
  scopesOfLevel,
  type ApiKey,
  type KeyLevel,
  type Scope,
} from "@tijolo/protocol";
import { findAccount } from "../../store/tables/accounts/account.ts";
import {
  countKeys,
  findKey,
  insertKey,
  listKeys as selectKeys,
  revokeKey as markRevoked,
  type KeyRow,
} from "../../store/tables/people/key.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { recordActivity } from "../accounts/activity.ts";
import { serviceActor, type Actor, type Principal } from "../identity/caller.ts";
import type { PeopleContext } from "./people-context.ts";
import { newId } from "../new-id.ts";
import { assertSamePassword, verifyPassword } from "./person.ts";
import { hashSecret, makeSecret } from "../identity/secret.ts";

/**
 * Describes a new key: the preset of a level, if one is named, and further scopes. The key's level follows
 * from all scopes.
 */
export interface NewKey {
  name: string;
  level?: KeyLevel | undefined;
  scopes: readonly Scope[];
}

/** The person whose password was asked for, and the hash that it was checked against. */
interface Confirmation {
  personId: string;
  passwordHash: string;
}

const prefixLength = 12;

export async function listKeys(app: PeopleContext, accountId: string): Promise<ApiKey[]> {
  return (await selectKeys(app.db, accountId)).map((row) => viewKey(app, row));
}

/**
 * Creates a key for a person who gives the password again. Returns the whole key, for the only time. Throws
 * `wrong_password`, `key_limit_reached`.
 */
export async function createOwnKey(
  app: PeopleContext,
  principal: Principal,
  { personId, password, ...input }: NewKey & { personId: string; password: string },
): Promise<{ key: ApiKey; secret: string }> {
  const passwordHash = await verifyPassword(app, personId, password);
  return createKey(app, principal, { ...input, confirmation: { personId, passwordHash } });
}

/** Creates a key for an operator. Throws `not_found` without such an account, `key_limit_reached`. */
export async function createKeyFor(
  app: PeopleContext,
  operator: Actor,
  { accountId, ...input }: NewKey & { accountId: string },
): Promise<{ key: ApiKey; secret: string }> {
  const account = await findAccount(app.db, accountId);
  if (account === undefined) throw new AppError("not_found");
  return createKey(app, { account, actor: operator }, input);
}

async function createKey(
  app: PeopleContext,
  { account, actor }: Pick<Principal, "account" | "actor">,
  { confirmation, ...input }: NewKey & { confirmation?: Confirmation },
): Promise<{ key: ApiKey; secret: string }> {
  const secret = makeSecret("svc_", app.random);
  const row = keyRow(app, account.id, secret, input);
  await transact(app.db, async (tx) => {
    // Once more where the key is written: a password that was reset meanwhile has revoked all keys.
    if (confirmation !== undefined)
      await assertSamePassword(tx, confirmation.personId, confirmation.passwordHash);
    const limit = app.limits.keysPerAccount;
    if ((await countKeys(tx, account.id)) >= limit)
      throw new AppError("key_limit_reached", { extra: { limit } });
    await insertKey(tx, { ...row, hash: hashSecret(secret) });
    await recordActivity(app, tx, {
      accountId: account.id,
      actor,
      action: "key.create",
      after: keyForActivity(row),
    });
  });
  return { key: viewKey(app, row), secret };
}

/**
 * Revokes a key: from the next request on it is unknown; what it holds open ends. Throws `not_found`, also
 * for another account's key.
 */
export async function revokeKey(
  app: PeopleContext,
  { account, actor }: Principal,
  id: string,
): Promise<void> {
  await transact(app.db, async (tx) => {
    const row = await findKey(tx, id);
    if (row === undefined || row.accountId !== account.id) throw new AppError("not_found");
    await revoke(app, tx, row, actor);
  });
}

/** Revokes all keys within the transaction of what makes it necessary. Returns how many were revoked. */
export async function revokeAllKeys(
  app: PeopleContext,
  tx: Transaction,
  accountId: string,
  actor: Actor = serviceActor,
): Promise<number> {
  const rows = await selectKeys(tx, accountId);
  for (const row of rows) await revoke(app, tx, row, actor);
  return rows.length;
}

async function revoke(app: PeopleContext, tx: Transaction, row: KeyRow, actor: Actor): Promise<void> {
  await markRevoked(tx, row.id, app.clock.now());
  tx.wake(`account:${row.accountId}`);
  await recordActivity(app, tx, {
    accountId: row.accountId,
    actor,
    action: "key.revoke",
    before: keyForActivity(row),
  });
}

function keyRow(
  app: PeopleContext,
  accountId: string,
  secret: string,
  { name, level, scopes }: NewKey,
): KeyRow {
  const granted = [...new Set([...(level === undefined ? [] : scopesOfLevel[level]), ...scopes])];
  return {
    id: newId(app),
    accountId,
    name,
    prefix: secret.slice(0, prefixLength),
    level: levelOfScopes(granted),
    scopes: granted,
    createdAt: app.clock.now(),
    lastUsedAt: null,
  };
}

function keyForActivity({ id, name, prefix, level, scopes }: KeyRow): Record<string, unknown> {
  return { id, name, prefix, level, scopes };
}

function viewKey(
  app: Pick<PeopleContext, "keyUses">,
  { id, name, prefix, level, scopes, ...times }: KeyRow,
): ApiKey {
  const lastUsedAt = app.keyUses.lastUsedAt(id) ?? times.lastUsedAt;
  return {
    id,
    name,
    prefix,
    level,
    scopes,
    createdAt: new Date(times.createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  };
}
