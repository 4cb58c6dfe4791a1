/**
 * Defines the steps of time of metrics: each tier's steps are whole numbers of the tier below, aligned to the
 * clock.
 */

import { metricSteps } from "@tijolo/protocol";

export interface MetricTier {
  stepSeconds: number;
  /** Seconds after which steps are removed: the range and a little more. */
  keptSeconds: number;
}

/** Seconds for which steps are kept longer, because a clock may be ahead by less than this for a while. */
const slackSeconds = 10 * 60;

/** Tiers from the shortest steps to the longest. */
export const metricTiers: readonly MetricTier[] = Object.values(metricSteps)
  .map(({ stepSeconds, rangeSeconds }) => ({
    stepSeconds,
    keptSeconds: rangeSeconds + stepSeconds + slackSeconds,
  }))
  .toSorted((one, other) => one.stepSeconds - other.stepSeconds);

const [shortest] = metricTiers;
if (shortest === undefined) throw new Error("there is no tier");
export const shortestStepSeconds = shortest.stepSeconds;

/** Returns the tier that this one's steps are summed from; undefined for the shortest. */
export function finerTier(stepSeconds: number): MetricTier | undefined {
  return metricTiers.findLast((tier) => tier.stepSeconds < stepSeconds);
}

/** Returns the start of the step that `seconds` lies in. */
export function stepStart(seconds: number, stepSeconds: number): number {
  return Math.floor(seconds / stepSeconds) * stepSeconds;
}

/** Returns the starts of the steps that begin from `from` on and before `to`; `from` is one. */
export function stepsBetween(from: number, to: number, stepSeconds: number): number[] {
  return Array.from(
    { length: Math.max(0, Math.ceil((to - from) / stepSeconds)) },
    (_, index) => from + index * stepSeconds,
  );
}

export interface TierSteps {
  stepSeconds: number;
  ats: number[];
}

/**
 * Returns which rows hold these steps: one row each, or the rows of its parts when it must be summed anew.
 */
export function rowsOfSteps(
  { stepSeconds, ats }: TierSteps,
  dues: readonly { stepSeconds: number; at: number }[],
): TierSteps[] {
  const finer = finerTier(stepSeconds);
  const isDue = new Set(dues.filter((due) => due.stepSeconds === stepSeconds).map(({ at }) => at));
  const inParts = ats.filter((at) => isDue.has(at));
  if (finer === undefined || inParts.length === 0) return [{ stepSeconds, ats }];
  const parts = inParts.flatMap((at) => stepsBetween(at, at + stepSeconds, finer.stepSeconds));
  const summed = { stepSeconds, ats: ats.filter((at) => !isDue.has(at)) };
  return [summed, ...rowsOfSteps({ stepSeconds: finer.stepSeconds, ats: parts }, dues)];
}
