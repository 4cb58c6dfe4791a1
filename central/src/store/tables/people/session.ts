/** Holds the SQL of panel sessions. */

import { accountOfRow, type AccountRow } from "../accounts/account.ts";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

export interface SessionRow {
  id: string;
  personId: string;
  address: string | null;
  userAgent: string | null;
  expiresAt: number;
  createdAt: number;
  /** Time of the last use, roughly. */
  updatedAt: number;
  /** Time when the person last proved who it is. */
  confirmedAt: number | null;
  /** True for a session that a passkey opened or confirmed, which makes it one of two factors. */
  hasPasskey: boolean;
}

export interface FoundSession {
  session: SessionRow;
  person: { id: string; name: string };
  account: AccountRow;
}

/** Returns the session with this token's hash, expired or not. Callers must not modify the cached result. */
export function findSession(db: Reader, tokenHash: string): Promise<Readonly<FoundSession> | undefined> {
  return db.cached(`session ${tokenHash}`, () => readSession(db, tokenHash));
}

async function readSession(db: Reader, tokenHash: string): Promise<FoundSession | undefined> {
  const row = await db
    .selectFrom("session")
    .innerJoin("person", "person.id", "session.person_id")
    .innerJoin("account", "account.id", "person.account_id")
    .selectAll("account")
    .select([
      "session.id as session_id",
      "session.person_id",
      "session.address",
      "session.user_agent",
      "session.expires_at",
      "session.created_at as session_created_at",
      "session.updated_at",
      "session.confirmed_at",
      "session.has_passkey",
      "person.name as person_name",
    ])
    .where("session.token_hash", "=", tokenHash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    session: sessionOfRow({ ...row, id: row.session_id, created_at: row.session_created_at }),
    person: { id: row.person_id, name: row.person_name },
    account: accountOfRow(row),
  };
}

export async function insertSession(
  tx: Transaction,
  { tokenHash, ...session }: SessionRow & { tokenHash: string },
): Promise<void> {
  await tx
    .insertInto("session")
    .values({
      id: session.id,
      person_id: session.personId,
      token_hash: tokenHash,
      address: session.address,
      user_agent: session.userAgent,
      expires_at: session.expiresAt,
      created_at: session.createdAt,
      updated_at: session.updatedAt,
      confirmed_at: session.confirmedAt,
      has_passkey: session.hasPasskey ? 1 : 0,
    })
    .execute();
}

/** Returns the valid sessions of a person, the newest first. */
export async function listSessions(db: Reader, personId: string, now: number): Promise<SessionRow[]> {
  const rows = await db
    .selectFrom("session")
    .selectAll()
    .where("person_id", "=", personId)
    .where("expires_at", ">", now)
    .orderBy("id", "desc")
    .execute();
  return rows.map(sessionOfRow);
}

export async function touchSession(
  tx: Transaction,
  id: string,
  use: Pick<SessionRow, "address" | "userAgent" | "expiresAt" | "updatedAt">,
): Promise<void> {
  await tx
    .updateTable("session")
    .set({
      address: use.address,
      user_agent: use.userAgent,
      expires_at: use.expiresAt,
      updated_at: use.updatedAt,
    })
    .where("id", "=", id)
    .execute();
}

export async function saveSessionConfirmation(tx: Transaction, id: string, now: number): Promise<void> {
  await tx.updateTable("session").set({ confirmed_at: now }).where("id", "=", id).execute();
}

export async function saveSessionPasskey(tx: Transaction, id: string): Promise<void> {
  await tx.updateTable("session").set({ has_passkey: 1 }).where("id", "=", id).execute();
}

/** Forgets in all of a person's sessions that a passkey opened or confirmed them. */
export async function forgetSessionPasskeys(tx: Transaction, personId: string): Promise<void> {
  await tx.updateTable("session").set({ has_passkey: 0 }).where("person_id", "=", personId).execute();
}

/** Deletes a session and returns it, if there was one. */
export async function deleteSession(
  tx: Transaction,
  personId: string,
  id: string,
): Promise<SessionRow | undefined> {
  const row = await tx
    .deleteFrom("session")
    .where("id", "=", id)
    .where("person_id", "=", personId)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : sessionOfRow(row);
}

/** Deletes all sessions but `except`; returns how many. */
export async function deleteSessions(
  tx: Transaction,
  personId: string,
  except: string | null,
): Promise<number> {
  let query = tx.deleteFrom("session").where("person_id", "=", personId);
  if (except !== null) query = query.where("id", "!=", except);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Deletes the oldest of a person's sessions beyond the newest `kept`. */
export async function deleteOldestSessions(tx: Transaction, personId: string, kept: number): Promise<void> {
  const old = await tx
    .selectFrom("session")
    .select("id")
    .where("person_id", "=", personId)
    .orderBy("id", "desc")
    .offset(kept)
    .limit(1000)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom("session").where("id", "in", ids).execute();
}

export async function deleteExpiredSessions(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom("session").where("expires_at", "<=", now).execute();
}

function sessionOfRow(row: Omit<Schema["session"], "token_hash">): SessionRow {
  return {
    id: row.id,
    personId: row.person_id,
    address: row.address,
    userAgent: row.user_agent,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    confirmedAt: row.confirmed_at,
    hasPasskey: row.has_passkey === 1,
  };
}
