/** A project's usage over time (spec: GET /projects/{id}/metrics; its open parts are decided here). */

import { z } from "zod";
import { timestamp } from "./project.ts";

export const metricRanges = ["1h", "6h", "24h", "7d", "30d"] as const;
export type MetricRange = (typeof metricRanges)[number];

/** How far back each range reaches, and how far apart its points are, in seconds. */
export const metricSteps: Record<MetricRange, { rangeSeconds: number; stepSeconds: number }> = {
  "1h": { rangeSeconds: 3_600, stepSeconds: 15 },
  "6h": { rangeSeconds: 6 * 3_600, stepSeconds: 60 },
  "24h": { rangeSeconds: 24 * 3_600, stepSeconds: 300 },
  "7d": { rangeSeconds: 7 * 86_400, stepSeconds: 1_800 },
  "30d": { rangeSeconds: 30 * 86_400, stepSeconds: 7_200 },
};

export const metricQuery = z.strictObject({ range: z.enum(metricRanges).default("1h") });

/**
 * Averages over one step that begins at `at`, weighted by time; the newest step is still open. A step in
 * which the host told nothing has no point: gaps stay gaps.
 */
export const metricPoint = z.strictObject({
  at: timestamp,
  memoryMb: z.number(),
  /** 100 = one full core. */
  cpuPercent: z.number(),
  networkInBps: z.int(),
  networkOutBps: z.int(),
  /** The most that the project's files took; null until the host has measured it. */
  diskMb: z.int().nullable(),
});
export type MetricPoint = z.infer<typeof metricPoint>;

/** Oldest point first; the limits beside what {@link metricPoint} has of each. */
export const metrics = z.strictObject({
  stepSeconds: z.int(),
  /** Of the run under way; without one, of the next. */
  memoryLimitMb: z.int(),
  /**
   * The same, 100 = one full core; null where no process of the project runs (`static`), or its host has not
   * said yet what it has.
   */
  cpuLimitPercent: z.int().nullable(),
  /** What the plan gives the project, whatever its disk still has at this moment. */
  diskLimitMb: z.int(),
  points: z.array(metricPoint),
});
export type Metrics = z.infer<typeof metrics>;
