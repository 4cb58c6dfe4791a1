/** Holds the SQL of the answers that are kept for idempotency keys. */

import type { Reader, Transaction } from "../../store.ts";

export interface KeptAnswer {
  accountId: string;
  key: string;
  /** Fingerprint of the request that it answered. */
  fingerprint: string;
  /** Answer as JSON. */
  answer: string;
  createdAt: number;
}

/** Returns an answer that was kept after `createdAfter`. */
export async function findKeptAnswer(
  db: Reader,
  { accountId, key, createdAfter }: { accountId: string; key: string; createdAfter: number },
): Promise<{ fingerprint: string; answer: string } | undefined> {
  return db
    .selectFrom("idempotency")
    .select(["fingerprint", "answer"])
    .where("account_id", "=", accountId)
    .where("key", "=", key)
    .where("created_at", ">", createdAfter)
    .executeTakeFirst();
}

/** Stores an answer in the place of one that is too old to count. */
export async function keepAnswer(
  tx: Transaction,
  { accountId, key, fingerprint, answer, createdAt }: KeptAnswer,
): Promise<void> {
  const fields = { fingerprint, answer, created_at: createdAt };
  await tx
    .insertInto("idempotency")
    .values({ account_id: accountId, key, ...fields })
    .onConflict((conflict) => conflict.columns(["account_id", "key"]).doUpdateSet(fields))
    .execute();
}

export async function deleteKeptAnswers(tx: Transaction, createdUntil: number): Promise<void> {
  await tx.deleteFrom("idempotency").where("created_at", "<=", createdUntil).execute();
}
