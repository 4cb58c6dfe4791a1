/**
 * What is counted, or noted, in memory and written now and then; what is written and worthless after a day.
 */

import type { AppContext } from "../context.ts";
import { collectKeptAnswers } from "../limits/idempotency.ts";

/** Often, and once more at the end: a crash loses what came since. */
export async function saveCounts(app: AppContext): Promise<void> {
  app.sessionRates.forget();
  await app.requestRates.save();
  await app.keyUses.save();
  await app.hostStates.save();
}

export async function collectCounts(app: AppContext): Promise<void> {
  await app.requestRates.collect();
  await collectKeptAnswers(app);
}
