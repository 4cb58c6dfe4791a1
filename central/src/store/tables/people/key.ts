/** Holds the SQL of API keys. */

import { levelOfScopes, scope, type KeyLevel, type Scope } from "@tijolo/protocol";
import { z } from "zod";
import { accountOfRow, type AccountRow } from "../accounts/account.ts";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

const scopeList = z.array(scope);

export interface KeyRow {
  id: string;
  accountId: string;
  name: string;
  prefix: string;
  /** Level, which follows from the scopes; it is not stored. */
  level: KeyLevel;
  scopes: Scope[];
  createdAt: number;
  lastUsedAt: number | null;
}

export async function insertKey(
  tx: Transaction,
  key: Omit<KeyRow, "level"> & { hash: string },
): Promise<void> {
  await tx
    .insertInto("api_key")
    .values({
      id: key.id,
      account_id: key.accountId,
      name: key.name,
      prefix: key.prefix,
      hash: key.hash,
      scopes: JSON.stringify(key.scopes),
      created_at: key.createdAt,
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
}

/** Returns the account's valid keys, oldest first. */
export async function listKeys(db: Reader, accountId: string): Promise<KeyRow[]> {
  const rows = await db
    .selectFrom("api_key")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map(keyOfRow);
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

/** Returns the valid key with this id. */
export async function findKey(db: Reader, id: string): Promise<KeyRow | undefined> {
  const row = await db
    .selectFrom("api_key")
    .selectAll()
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return row === undefined ? undefined : keyOfRow(row);
}

/**
 * Returns the valid key with this hash and its account. A key stops working with the commit that revokes it.
 * Callers must not modify the result, which is cached.
 */
export function findKeyByHash(
  db: Reader,
  hash: string,
): Promise<Readonly<{ key: KeyRow; account: AccountRow }> | undefined> {
  return db.cached(`key ${hash}`, async () => {
    const row = await db
      .selectFrom("api_key")
      .innerJoin("account", "account.id", "api_key.account_id")
      .selectAll("account")
      .select([
        "api_key.id as key_id",
        "api_key.name as key_name",
        "api_key.prefix",
        "api_key.scopes",
        "api_key.created_at as key_created_at",
        "api_key.last_used_at",
      ])
      .where("api_key.hash", "=", hash)
      .where("api_key.revoked_at", "is", null)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const key = keyOfRow({
      ...row,
      id: row.key_id,
      account_id: row.id,
      name: row.key_name,
      created_at: row.key_created_at,
    });
    return { key, account: accountOfRow(row) };
  });
}

/** Stores when keys, by id, were last used. */
export async function saveKeyUses(
  tx: Transaction,
  uses: readonly (readonly [id: string, usedAt: number])[],
): Promise<void> {
  for (const [id, usedAt] of uses)
    await tx.updateTable("api_key").set({ last_used_at: usedAt }).where("id", "=", id).execute();
}

export async function revokeKey(tx: Transaction, id: string, revokedAt: number): Promise<void> {
  await tx
    .updateTable("api_key")
    .set({ revoked_at: revokedAt })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}

/** Removes keys that were revoked before that time, at most `limit`; returns how many. */
export async function deleteKeysRevokedBefore(
  tx: Transaction,
  before: number,
  limit: number,
): Promise<number> {
  const result = await tx
    .deleteFrom("api_key")
    .where("id", "in", (select) =>
      select
        .selectFrom("api_key")
        .select("id")
        .where("revoked_at", "<", before)
        .orderBy("revoked_at")
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

function keyOfRow(row: Omit<Schema["api_key"], "hash" | "revoked_at">): KeyRow {
  const scopes = scopeList.parse(JSON.parse(row.scopes));
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    level: levelOfScopes(scopes),
    scopes,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
