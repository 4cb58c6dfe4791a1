/** Confirms who sits at a panel session: a sign-in does, and later the password typed once more. */

import { AppError, confirmationMs } from "@tijolo/protocol";
import { transact, type Transaction } from "../../store/store.ts";
import { saveSessionConfirmation } from "../../store/tables/people/session.ts";
import type { BaseContext } from "../base-context.ts";
import type { PeopleContext } from "./people-context.ts";
import { assertSamePassword, verifyPassword } from "./person.ts";
import type { SessionCaller } from "./session.ts";
import { useSecondFactor } from "./two-factor.ts";

/**
 * Confirms the session. Throws `wrong_password`, `invalid_code` for a code that was sent and is not right,
 * and `too_many_attempts`.
 */
export async function confirmSession(
  app: PeopleContext,
  { person, session }: SessionCaller,
  { password, code }: { password: string; code?: string | undefined },
): Promise<void> {
  const hash = await verifyPassword(app, person.id, password);
  const confirm = () =>
    transact(app.db, async (tx) => {
      await assertSamePassword(tx, person.id, hash);
      if (code !== undefined && !(await useSecondFactor(app, tx, { personId: person.id, factor: { code } })))
        return false;
      await saveConfirmation(app, tx, session);
      return true;
    });
  const counts =
    code === undefined ? [] : [{ key: `confirmation code ${person.id}`, limit: app.limits.wrongAttempts }];
  if (!(await app.attempts.guess(counts, confirm))) throw new AppError("invalid_code");
}

/** Records, in the transaction of the proof, that the session's person has just proved who it is. */
export function saveConfirmation(
  app: Pick<BaseContext, "clock">,
  tx: Transaction,
  session: { id: string },
): Promise<void> {
  return saveSessionConfirmation(tx, session.id, app.clock.now());
}

/** True for a session that was confirmed a short while ago. */
export function isConfirmed(
  { clock }: Pick<BaseContext, "clock">,
  { confirmedAt }: { confirmedAt: number | null },
): boolean {
  return confirmedAt !== null && clock.now() - confirmedAt < confirmationMs;
}
