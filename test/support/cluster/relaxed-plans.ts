/** Writes plans and limits for tests of something else: no test has to wait between two uploads. */

import { writeFile } from "node:fs/promises";
import { planNames, type ServiceLimits } from "@tijolo/protocol";

const rates = { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 };
const limits: Partial<ServiceLimits> = {
  uploadEveryMs: 0,
  uploadsAtOnce: 1_000,
  logOpenEveryMs: 0,
  logStreamsAtOnce: 1_000,
  sessionRequestsPerMinute: 1_000_000,
  wrongAttempts: 1_000_000,
};

/** Writes the file that `TIJOLO_PLANS_FILE` names. */
export async function writeRelaxedPlans(path: string): Promise<void> {
  const plans = Object.fromEntries(planNames.map((name) => [name, rates]));
  await writeFile(path, JSON.stringify({ plans, limits }));
}
