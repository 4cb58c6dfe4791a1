/** Reads and writes the table `acme_key`, which has one row. */

import type { Reader, Transaction } from "../../store.ts";
import type { Sealed } from "../sealed.ts";

export interface AcmeKeyRow {
  id: string;
  sealed: Sealed;
  createdAt: number;
}

export async function findAcmeKey(db: Reader): Promise<AcmeKeyRow | undefined> {
  const row = await db.selectFrom("acme_key").selectAll().orderBy("id").executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    sealed: { keyId: row.key_id, ciphertext: row.ciphertext },
    createdAt: row.created_at,
  };
}

export async function insertAcmeKey(tx: Transaction, { id, sealed, createdAt }: AcmeKeyRow): Promise<void> {
  await tx
    .insertInto("acme_key")
    .values({ id, key_id: sealed.keyId, ciphertext: sealed.ciphertext, created_at: createdAt })
    .execute();
}

/** Replaces the sealed key, which stays the same inside. */
export async function saveAcmeKeySeal(
  tx: Transaction,
  { id, sealed }: Pick<AcmeKeyRow, "id" | "sealed">,
): Promise<void> {
  await tx
    .updateTable("acme_key")
    .set({ key_id: sealed.keyId, ciphertext: sealed.ciphertext })
    .where("id", "=", id)
    .execute();
}
