/** Holds the SQL of passkeys. */

import { z } from "zod";
import type { Schema } from "../../schema.ts";
import type { Reader, Transaction } from "../../store.ts";

export interface PasskeyRow {
  id: string;
  personId: string;
  /** Id that the authenticator gave the credential, as base64url. */
  credentialId: string;
  /** Host name that the passkey is good for. */
  rpId: string;
  /** COSE key, as base64url. */
  publicKey: string;
  counter: number;
  transports: string[];
  name: string;
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | null;
}

const transports = z.array(z.string());

export async function insertPasskey(tx: Transaction, passkey: PasskeyRow): Promise<void> {
  await tx
    .insertInto("passkey")
    .values({
      id: passkey.id,
      person_id: passkey.personId,
      credential_id: passkey.credentialId,
      rp_id: passkey.rpId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      name: passkey.name,
      is_synced: passkey.isSynced ? 1 : 0,
      created_at: passkey.createdAt,
      last_used_at: passkey.lastUsedAt,
    })
    .execute();
}

/** Returns the passkeys of a person, the oldest first. */
export async function listPasskeys(db: Reader, personId: string): Promise<PasskeyRow[]> {
  const rows = await db
    .selectFrom("passkey")
    .selectAll()
    .where("person_id", "=", personId)
    .orderBy("id")
    .execute();
  return rows.map(passkeyOfRow);
}

export async function countPasskeys(db: Reader, personId: string): Promise<number> {
  const row = await db
    .selectFrom("passkey")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("person_id", "=", personId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function findPasskey(db: Reader, personId: string, id: string): Promise<PasskeyRow | undefined> {
  const row = await db
    .selectFrom("passkey")
    .selectAll()
    .where("id", "=", id)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row === undefined ? undefined : passkeyOfRow(row);
}

export async function findPasskeyByCredential(
  db: Reader,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  const row = await db
    .selectFrom("passkey")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  return row === undefined ? undefined : passkeyOfRow(row);
}

export async function renamePasskey(tx: Transaction, id: string, name: string): Promise<void> {
  await tx.updateTable("passkey").set({ name }).where("id", "=", id).execute();
}

/** Stores a use of the passkey. */
export async function notePasskeyUse(
  tx: Transaction,
  id: string,
  use: { counter: number; isSynced: boolean; usedAt: number },
): Promise<void> {
  await tx
    .updateTable("passkey")
    .set({ counter: use.counter, is_synced: use.isSynced ? 1 : 0, last_used_at: use.usedAt })
    .where("id", "=", id)
    .execute();
}

export async function deletePasskey(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom("passkey").where("id", "=", id).execute();
}

/** Deletes all passkeys of a person; returns how many. */
export async function deletePasskeys(tx: Transaction, personId: string): Promise<number> {
  const result = await tx.deleteFrom("passkey").where("person_id", "=", personId).executeTakeFirst();
  return Number(result.numDeletedRows);
}

function passkeyOfRow(row: Schema["passkey"]): PasskeyRow {
  return {
    id: row.id,
    personId: row.person_id,
    credentialId: row.credential_id,
    rpId: row.rp_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: transports.parse(JSON.parse(row.transports)),
    name: row.name,
    isSynced: row.is_synced !== 0,
    createdAt: Number(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
  };
}
