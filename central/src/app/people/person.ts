/** Checks people and their passwords for every way to sign in. */

import { AppError } from "@tijolo/protocol";
import { findPasswordHash, insertPerson, savePasswordHash } from "../../store/tables/people/person.ts";
import type { Transaction } from "../../store/store.ts";
import { deleteVerifications } from "../../store/tables/people/verification.ts";
import { valueOf } from "./auth-token.ts";
import type { PeopleContext } from "./people-context.ts";
import { newId } from "../new-id.ts";

/** Creates a person, who without a password cannot sign in until one is set. `email` is in lower case. */
export async function createPerson(
  app: PeopleContext,
  tx: Transaction,
  person: { accountId: string; name: string; email: string; isEmailVerified?: boolean },
): Promise<string> {
  const id = newId(app);
  await insertPerson(tx, { ...person, id, now: app.clock.now() });
  return id;
}

/** Sets the password of the hash, which replaces an earlier one; earlier links and half-done sign-ins end. */
export async function setPassword(
  app: PeopleContext,
  tx: Transaction,
  { personId, hash }: { personId: string; hash: string },
): Promise<void> {
  await savePasswordHash(tx, { id: newId(app), personId, hash, now: app.clock.now() });
  await revokeTokens(tx, personId);
}

/** Revokes links to set the password, and sign-ins that owe a second factor. */
export async function revokeTokens(tx: Transaction, personId: string): Promise<void> {
  await deleteVerifications(tx, [valueOf("password", personId), valueOf("challenge", personId)]);
}

/**
 * Checks that the person behind a session knows the password, before something that a stolen session must not
 * do. Throws `wrong_password`; wrong ones are counted, and too many give `too_many_attempts`. Returns the
 * hash that it was checked against.
 */
export async function verifyPassword(
  app: PeopleContext,
  personId: string,
  password: string,
): Promise<string> {
  const hash = await findPasswordHash(app.db, personId);
  const counts = [{ key: `confirmation ${personId}`, limit: app.limits.wrongAttempts }];
  const isRight = await app.attempts.guess(counts, () => app.passwords.verify(hash, password));
  if (hash === null || !isRight) throw new AppError("wrong_password");
  return hash;
}

/** True when nobody changed the password since `hash` was checked: hashing is too slow for transactions. */
export async function isSamePassword(tx: Transaction, personId: string, hash: string): Promise<boolean> {
  return (await findPasswordHash(tx, personId)) === hash;
}

/**
 * Checks as {@link isSamePassword} does, inside the transaction of what the password was asked for. Throws
 * `wrong_password`.
 */
export async function assertSamePassword(tx: Transaction, personId: string, hash: string): Promise<void> {
  if (!(await isSamePassword(tx, personId, hash))) throw new AppError("wrong_password");
}
