/** Removes sessions, single-use tokens and unconfirmed sign-ups that have expired. */

import { transact } from "../../store/store.ts";
import { deleteExpiredPendingSignUps } from "../../store/tables/people/pending-sign-up.ts";
import { deleteExpiredSessions } from "../../store/tables/people/session.ts";
import { deleteExpiredVerifications } from "../../store/tables/people/verification.ts";
import type { PeopleContext } from "./people-context.ts";

export async function collectSessions(app: PeopleContext): Promise<void> {
  const now = app.clock.now();
  await transact(app.db, async (tx) => {
    await deleteExpiredSessions(tx, now);
    await deleteExpiredVerifications(tx, now);
    await deleteExpiredPendingSignUps(tx, now);
  });
}
