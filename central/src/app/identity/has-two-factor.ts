/** Says whether a person, or a session, has a second factor. */

import type { Reader } from "../../store/store.ts";
import { findTwoFactor } from "../../store/tables/people/person.ts";
import type { Caller } from "./caller.ts";

/** True for a person with an authenticator that was confirmed: without it, no password opens a session. */
export async function hasTwoFactor(db: Reader, person: { id: string }): Promise<boolean> {
  const authenticator = await findTwoFactor(db, person.id);
  return authenticator !== undefined && authenticator.secret !== null;
}

/**
 * True for a session that two factors stand behind: the person's authenticator, or a passkey that opened or
 * confirmed this session. That the person has a passkey is not enough, as the password alone opens a session, too.
 */
export async function isOfTwoFactors(
  db: Reader,
  { person, session }: Pick<Extract<Caller, { kind: "session" }>, "person" | "session">,
): Promise<boolean> {
  return session.hasPasskey || hasTwoFactor(db, person);
}
