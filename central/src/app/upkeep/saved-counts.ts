/**
 * What is counted, or noted, in memory and written now and then; what is written and worthless after a day.
 */

import type { HostsContext } from "../hosts/hosts-context.ts";
import type { IdentityContext } from "../identity/identity-context.ts";
import { collectKeptAnswers } from "../limits/idempotency.ts";

/** Often, and once more at the end: a crash loses what came since. */
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
