/** SQL of accounts, their API keys, and operators. */

import { keyLevels, planName, scope, type KeyLevel, type PlanName, type Scope } from "@tijolo/protocol";
import { z } from "zod";
import type { Database, Reader, Schema, Transaction } from "./schema.ts";

export interface AccountRow {
  id: string;
  name: string;
  plan: PlanName;
  suspendedAt: number | null;
  createdAt: number;
}

export interface KeyRow {
  id: string;
  accountId: string;
  name: string;
  prefix: string;
  level: KeyLevel;
  scopes: Scope[];
  createdAt: number;
  lastUsedAt: number | null;
}

export async function insertAccount(tx: Transaction, account: AccountRow): Promise<void> {
  const { suspendedAt, createdAt, ...same } = account;
  await tx
    .insertInto("account")
    .values({ ...same, suspended_at: suspendedAt, created_at: createdAt })
    .execute();
}

export async function findAccount(db: Reader, id: string): Promise<AccountRow | undefined> {
  const row = await db.selectFrom("account").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : accountOfRow(row);
}

export async function listAccounts(db: Reader): Promise<AccountRow[]> {
  const rows = await db.selectFrom("account").selectAll().orderBy("id").execute();
  return rows.map(accountOfRow);
}

export async function insertKey(tx: Transaction, key: KeyRow & { hash: string }): Promise<void> {
  await tx
    .insertInto("api_key")
    .values({
      id: key.id,
      account_id: key.accountId,
      name: key.name,
      prefix: key.prefix,
      hash: key.hash,
      level: key.level,
      scopes: JSON.stringify(key.scopes),
      created_at: key.createdAt,
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
}

export async function countKeys(db: Reader, accountId: string): Promise<number> {
  const row = await db
    .selectFrom("api_key")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** As {@link findKeyByHash}, of the last commit: a key stops working with the commit that revokes it. Not to be changed. */
export function findRecentKey(db: Database, hash: string): Promise<Readonly<{ key: KeyRow; account: AccountRow }> | undefined> {
  return db.recent.find(`key ${hash}`, () => findKeyByHash(db, hash));
}

/** The living key with this hash and its account, in one query. */
export async function findKeyByHash(db: Reader, hash: string): Promise<{ key: KeyRow; account: AccountRow } | undefined> {
  const row = await db
    .selectFrom("api_key")
    .innerJoin("account", "account.id", "api_key.account_id")
    .select([
      "api_key.id as key_id",
      "api_key.name as key_name",
      "api_key.prefix",
      "api_key.level",
      "api_key.scopes",
      "api_key.created_at as key_created_at",
      "api_key.last_used_at",
      "account.id",
      "account.name",
      "account.plan",
      "account.suspended_at",
      "account.created_at",
    ])
    .where("api_key.hash", "=", hash)
    .where("api_key.revoked_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const key: KeyRow = {
    id: row.key_id,
    accountId: row.id,
    name: row.key_name,
    prefix: row.prefix,
    level: z.enum(keyLevels).parse(row.level),
    scopes: z.array(scope).parse(JSON.parse(row.scopes)),
    createdAt: row.key_created_at,
    lastUsedAt: row.last_used_at,
  };
  return { key, account: accountOfRow(row) };
}

export async function touchKey(db: Transaction, id: string, usedAt: number): Promise<void> {
  await db.updateTable("api_key").set({ last_used_at: usedAt }).where("id", "=", id).execute();
}

export async function insertOperator(
  tx: Transaction,
  operator: { id: string; name: string; tokenHash: string; createdAt: number },
): Promise<void> {
  const { tokenHash, createdAt, ...same } = operator;
  await tx
    .insertInto("operator")
    .values({ ...same, token_hash: tokenHash, created_at: createdAt })
    .execute();
}

export async function findOperatorByHash(db: Reader, hash: string): Promise<{ id: string; name: string } | undefined> {
  return db.selectFrom("operator").select(["id", "name"]).where("token_hash", "=", hash).executeTakeFirst();
}

export async function hasOperator(db: Reader): Promise<boolean> {
  return (await db.selectFrom("operator").select("id").limit(1).executeTakeFirst()) !== undefined;
}

function accountOfRow(row: Pick<Schema["account"], "id" | "name" | "plan" | "suspended_at" | "created_at">): AccountRow {
  return {
    id: row.id,
    name: row.name,
    plan: planName.parse(row.plan),
    suspendedAt: row.suspended_at,
    createdAt: row.created_at,
  };
}
