/** Adds what the gateway counted to what is stored, and removes what is old. */

import {
  addVisits,
  closeVisitTops,
  deleteVisitsBefore,
  topStepSeconds,
  visitSteps,
  type VisitCounts,
} from "../../store/metrics/visit.ts";
import { keptHourDays, keptQuarterDays } from "@tijolo/protocol";
import { listExistingProjects } from "../../store/tables/projects/project-places.ts";
import type { VisitsContext } from "./visits-context.ts";

const daySeconds = 86_400;
/** Seconds for which an hour's tops keep all their counters after its end, as a gateway may be late. */
const settleSeconds = 600;
/** Seconds for which steps are kept longer: a period may begin within its first one. */
const slackSeconds = daySeconds;
const closedPerRun = 500;
/** Seconds by which a gateway's clock may be ahead; what it counted later than that is not believed. */
const aheadSeconds = 3_600;

export function visitReconcilers(
  app: VisitsContext,
): { name: string; everyMs: number; run: () => Promise<void> }[] {
  return [
    { name: "condense-visits", everyMs: 60_000, run: () => condenseVisits(app) },
    { name: "renew-visit-salt", everyMs: 30_000, run: () => app.visitSalt.renew() },
  ];
}

/** Adds the counts, all or none; those of projects that are gone are left out. */
export async function storeVisits(
  app: Pick<VisitsContext, "db" | "metrics" | "clock">,
  counts: readonly VisitCounts[],
): Promise<void> {
  const existing = await listExistingProjects(app.db, [...new Set(counts.map(({ projectId }) => projectId))]);
  const nowSeconds = app.clock.now() / 1000;
  const isKept = ({ projectId, at }: VisitCounts) =>
    existing.has(projectId) &&
    at < nowSeconds + aheadSeconds &&
    at > nowSeconds - (keptHourDays + 1) * daySeconds;
  const kept = counts.filter(isKept);
  if (kept.length > 0) await addVisits(app.metrics, kept);
}

/** Cuts the tops of hours that are over to what is kept, and removes steps that are older than they are kept. */
export async function condenseVisits(app: Pick<VisitsContext, "metrics" | "clock">): Promise<void> {
  const nowSeconds = app.clock.now() / 1000;
  await closeVisitTops(app.metrics, {
    before: nowSeconds - topStepSeconds - settleSeconds,
    limit: closedPerRun,
  });
  for (const stepSeconds of visitSteps) {
    const days = stepSeconds < topStepSeconds ? keptQuarterDays : keptHourDays;
    await deleteVisitsBefore(app.metrics, {
      stepSeconds,
      before: nowSeconds - days * daySeconds - slackSeconds,
    });
  }
}
