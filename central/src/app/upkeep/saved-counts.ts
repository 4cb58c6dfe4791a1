/** Saves periodically what is counted or noted in memory, and removes what is worthless after a day. */

import type { HostsContext } from "../hosts/hosts-context.ts";
import type { IdentityContext } from "../identity/identity-context.ts";
import { collectKeptAnswers } from "../limits/idempotency.ts";

/** Saves the counts. It runs often, and once more at the end: a crash loses what came since. */
export async function saveCounts(app: IdentityContext & HostsContext): Promise<void> {
  app.sessionRates.forget();
  await app.requestRates.save();
  await app.keyUses.save();
  await app.hostStates.save();
}

export async function collectCounts(app: IdentityContext & HostsContext): Promise<void> {
  await app.requestRates.collect();
  await collectKeptAnswers(app);
}
