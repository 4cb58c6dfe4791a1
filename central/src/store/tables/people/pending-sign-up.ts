/** Holds the SQL of sign-ups that wait for the link of their mail. */

import type { Reader, Transaction } from "../../store.ts";

export interface PendingSignUpRow {
  id: string;
  /** E-mail in lower case. */
  email: string;
  name: string;
  passwordHash: string;
  createdAt: number;
  expiresAt: number;
}

export async function insertPendingSignUp(tx: Transaction, row: PendingSignUpRow): Promise<void> {
  await tx
    .insertInto("pending_sign_up")
    .values({
      id: row.id,
      email: row.email,
      name: row.name,
      password: row.passwordHash,
      created_at: row.createdAt,
      expires_at: row.expiresAt,
    })
    .execute();
}

export async function countPendingSignUps(db: Reader): Promise<number> {
  const row = await db
    .selectFrom("pending_sign_up")
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function findPendingSignUp(db: Reader, id: string): Promise<PendingSignUpRow | undefined> {
  const row = await db.selectFrom("pending_sign_up").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  };
}

/** Deletes all sign-ups with this e-mail. */
export async function deletePendingSignUps(tx: Transaction, email: string): Promise<void> {
  await tx.deleteFrom("pending_sign_up").where("email", "=", email).execute();
}

export async function deleteExpiredPendingSignUps(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom("pending_sign_up").where("expires_at", "<=", now).execute();
}
