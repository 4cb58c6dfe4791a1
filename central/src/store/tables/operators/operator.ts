/** Holds the SQL of operators. */

import { operatorRole, type OperatorRole } from "@tijolo/protocol";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

export interface OperatorRow {
  id: string;
  name: string;
  role: OperatorRole;
  /** The first characters of the token. */
  prefix: string;
  expiresAt: number | null;
  createdAt: number;
}

export async function insertOperator(
  tx: Transaction,
  { expiresAt, createdAt, tokenHash, ...same }: OperatorRow & { tokenHash: string },
): Promise<void> {
  await tx
    .insertInto("operator")
    .values({ ...same, token_hash: tokenHash, expires_at: expiresAt, created_at: createdAt })
    .execute();
}

/** Returns the operator with this token, if it has not expired. */
export async function findOperatorByHash(
  db: Reader,
  hash: string,
  now: number,
): Promise<OperatorRow | undefined> {
  const row = await db.selectFrom("operator").selectAll().where("token_hash", "=", hash).executeTakeFirst();
  if (row === undefined || (row.expires_at !== null && row.expires_at <= now)) return undefined;
  return operatorOfRow(row);
}

export async function findOperator(db: Reader, id: string): Promise<OperatorRow | undefined> {
  const row = await db.selectFrom("operator").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : operatorOfRow(row);
}

/** Returns all operators, expired ones too; the oldest first. */
export async function listOperators(db: Reader): Promise<OperatorRow[]> {
  const rows = await db.selectFrom("operator").selectAll().orderBy("id").execute();
  return rows.map(operatorOfRow);
}

export async function deleteOperator(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom("operator").where("id", "=", id).execute();
}

function operatorOfRow(row: Schema["operator"]): OperatorRow {
  return {
    id: row.id,
    name: row.name,
    role: operatorRole.parse(row.role),
    prefix: row.prefix,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  };
}
