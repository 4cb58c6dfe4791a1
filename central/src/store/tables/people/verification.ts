/**
 * Holds the SQL of single-use tokens: an identifier that only the token's holder can compute, and what it is
 * good for.
 */

import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

export type VerificationRow = Pick<Schema["verification"], "value" | "expires_at">;

export async function insertVerification(tx: Transaction, row: Schema["verification"]): Promise<void> {
  await tx.insertInto("verification").values(row).execute();
}

export function findVerification(db: Reader, identifier: string): Promise<VerificationRow | undefined> {
  return db
    .selectFrom("verification")
    .select(["value", "expires_at"])
    .where("identifier", "=", identifier)
    .executeTakeFirst();
}

/** Removes the row and returns it; undefined when there was none. */
export function takeVerification(tx: Transaction, identifier: string): Promise<VerificationRow | undefined> {
  return tx
    .deleteFrom("verification")
    .where("identifier", "=", identifier)
    .returning(["value", "expires_at"])
    .executeTakeFirst();
}

export async function deleteVerifications(tx: Transaction, values: readonly string[]): Promise<void> {
  if (values.length === 0) return;
  await tx.deleteFrom("verification").where("value", "in", values).execute();
}

export async function deleteExpiredVerifications(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom("verification").where("expires_at", "<=", now).execute();
}
