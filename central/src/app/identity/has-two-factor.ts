/** Says whether a person has a second factor, whatever its kind. */

import type { Reader } from "../../store/store.ts";
import { findTwoFactor } from "../../store/tables/people/person.ts";

/**
 * True for a person with an authenticator that was confirmed. A passkey does not count, because the password
 * alone still opens a session of a person who has one: only a session that the passkey opened could count.
 */
export async function hasTwoFactor(db: Reader, person: { id: string }): Promise<boolean> {
  const authenticator = await findTwoFactor(db, person.id);
  return authenticator !== undefined && authenticator.secret !== null;
}
