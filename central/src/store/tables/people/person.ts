/** Holds the SQL of people: their account, password, second factor and where they sign in from. */

import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";

export interface PersonRow {
  id: string;
  accountId: string;
  name: string;
  email: string;
  hasTwoFactor: boolean;
}

export function findPerson(db: Reader, id: string): Promise<PersonRow | undefined> {
  return selectPerson(db, "person.id", id);
}

/** `email` must be in lower case. */
export function findPersonByEmail(db: Reader, email: string): Promise<PersonRow | undefined> {
  return selectPerson(db, "person.email", email);
}

export function findPersonOfAccount(db: Reader, accountId: string): Promise<PersonRow | undefined> {
  return selectPerson(db, "person.account_id", accountId);
}

async function selectPerson(
  db: Reader,
  column: "person.id" | "person.email" | "person.account_id",
  value: string,
): Promise<PersonRow | undefined> {
  const row = await db
    .selectFrom("person")
    .leftJoin("two_factor", "two_factor.person_id", "person.id")
    .select(["person.id", "person.account_id", "person.name", "person.email", "two_factor.secret"])
    .where(column, "=", value)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    email: row.email,
    hasTwoFactor: row.secret !== null,
  };
}

/** Inserts a person, who without a password cannot sign in until one is set. `email` is in lower case. */
export async function insertPerson(
  tx: Transaction,
  person: Pick<PersonRow, "id" | "accountId" | "name" | "email"> & { isEmailVerified?: boolean; now: number },
): Promise<void> {
  await tx
    .insertInto("person")
    .values({
      id: person.id,
      account_id: person.accountId,
      name: person.name,
      email: person.email,
      email_verified: person.isEmailVerified === true ? 1 : 0,
      created_at: person.now,
      updated_at: person.now,
    })
    .execute();
}

/** Returns the hash of a person's password; null when none is set. */
export async function findPasswordHash(db: Reader, personId: string): Promise<string | null> {
  const row = await db
    .selectFrom("credential")
    .select("password")
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row?.password ?? null;
}

/** Removes the password: none works until another is set. */
export async function clearPassword(tx: Transaction, personId: string): Promise<void> {
  await tx.updateTable("credential").set({ password: null }).where("person_id", "=", personId).execute();
}

/** Sets the password, or replaces the one before; `id` names the credential when the person has none yet. */
export async function savePasswordHash(
  tx: Transaction,
  { id, personId, hash, now }: { id: string; personId: string; hash: string; now: number },
): Promise<void> {
  const changed = { password: hash, updated_at: now };
  await tx
    .insertInto("credential")
    .values({
      id,
      person_id: personId,
      provider: "credential",
      subject: personId,
      created_at: now,
      ...changed,
    })
    .onConflict((conflict) => conflict.columns(["provider", "subject"]).doUpdateSet(changed))
    .execute();
}

export interface TwoFactorRow {
  secret: string | null;
  recoveryCodeHashes: string[];
  lastStep: number;
  pendingSecret: string | null;
  pendingRecoveryCodeHashes: string[];
}

const hashes = z.array(z.string());

export async function findTwoFactor(db: Reader, personId: string): Promise<TwoFactorRow | undefined> {
  const row = await db
    .selectFrom("two_factor")
    .selectAll()
    .where("person_id", "=", personId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    secret: row.secret,
    recoveryCodeHashes: hashes.parse(JSON.parse(row.recovery_codes)),
    lastStep: row.last_step,
    pendingSecret: row.pending_secret,
    pendingRecoveryCodeHashes: hashes.parse(JSON.parse(row.pending_recovery_codes)),
  };
}

export async function hasTwoFactors(db: Reader): Promise<boolean> {
  return (await db.selectFrom("two_factor").select("person_id").limit(1).executeTakeFirst()) !== undefined;
}

export async function saveTwoFactor(
  tx: Transaction,
  personId: string,
  twoFactor: TwoFactorRow,
): Promise<void> {
  const values = {
    secret: twoFactor.secret,
    recovery_codes: JSON.stringify(twoFactor.recoveryCodeHashes),
    last_step: twoFactor.lastStep,
    pending_secret: twoFactor.pendingSecret,
    pending_recovery_codes: JSON.stringify(twoFactor.pendingRecoveryCodeHashes),
  };
  await tx
    .insertInto("two_factor")
    .values({ person_id: personId, ...values })
    .onConflict((conflict) => conflict.column("person_id").doUpdateSet(values))
    .execute();
}

/** Returns every person's authenticators, confirmed and prepared. */
export async function listAuthenticators(
  db: Reader,
): Promise<{ personId: string; secret: string | null; pendingSecret: string | null }[]> {
  const rows = await db
    .selectFrom("two_factor")
    .select(["person_id as personId", "secret", "pending_secret as pendingSecret"])
    .execute();
  return rows;
}

export async function deleteTwoFactor(tx: Transaction, personId: string): Promise<void> {
  await tx.deleteFrom("two_factor").where("person_id", "=", personId).execute();
}

export interface SignInPlace {
  address: string;
  userAgent: string;
}

export async function listSignInPlaces(db: Reader, personId: string): Promise<SignInPlace[]> {
  const rows = await db
    .selectFrom("sign_in_place")
    .selectAll()
    .where("person_id", "=", personId)
    .orderBy("seen_at", "desc")
    .execute();
  return rows.map((row) => ({ address: row.address, userAgent: row.user_agent }));
}

/** Stores the place, and forgets all but the `kept` last ones. */
export async function saveSignInPlace(
  tx: Transaction,
  place: SignInPlace & { personId: string; seenAt: number; kept: number },
): Promise<void> {
  await tx
    .insertInto("sign_in_place")
    .values({
      person_id: place.personId,
      address: place.address,
      user_agent: place.userAgent,
      seen_at: place.seenAt,
    })
    .onConflict((conflict) =>
      conflict.columns(["person_id", "address", "user_agent"]).doUpdateSet({ seen_at: place.seenAt }),
    )
    .execute();
  const oldest = await tx
    .selectFrom("sign_in_place")
    .select("seen_at")
    .where("person_id", "=", place.personId)
    .orderBy("seen_at", "desc")
    .offset(place.kept)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await tx
    .deleteFrom("sign_in_place")
    .where("person_id", "=", place.personId)
    .where("seen_at", "<=", oldest.seen_at)
    .execute();
}

export async function forgetSignInPlaces(tx: Transaction, personId: string): Promise<void> {
  await tx.deleteFrom("sign_in_place").where("person_id", "=", personId).execute();
}
