/**
 * Defines the file of metrics: what projects used in each step of time, in tiers of ever longer steps. `at`
 * is in seconds since 1970. It holds sums, not averages: a longer step is exactly the sum of its parts.
 */

import { Kysely, type Generated, type Transaction } from "kysely";

export interface MetricSchema {
  /** Short numbers of projects in this file, because the rows are many. */
  project: { number: Generated<number>; id: string };
  step: { step_seconds: number; at: number; project: number } & SumColumns;
  /** Longer steps that must be summed anew, since one of their parts has changed. */
  due: { step_seconds: number; at: number };
  /** What was counted of the requests to a site in each step of time: encoded {@link VisitSums}. */
  visit_step: { step_seconds: number; at: number; project: number; sums: string };
  /**
   * The most frequent values of a site's requests in each hour: encoded {@link VisitTops}. `is_open` is 1 while
   * they have more counters than are kept.
   */
  visit_top: { at: number; project: number; is_open: number; tops: string };
}

export interface SumColumns {
  /** Milliseconds of the step that the sums cover. */
  covered_ms: number;
  /** Megabytes times the milliseconds that they were in use, summed. */
  memory_mb_ms: number;
  cpu_usec: number;
  network_in_bytes: number;
  network_out_bytes: number;
  /** Greatest disk usage in MB; null while it was not measured. */
  disk_mb: number | null;
}

/** Names of all {@link SumColumns}, in the order in which they are written. */
export const sumColumns = [
  "covered_ms",
  "memory_mb_ms",
  "cpu_usec",
  "network_in_bytes",
  "network_out_bytes",
  "disk_mb",
] as const satisfies readonly (keyof SumColumns)[];

export class MetricDatabase extends Kysely<MetricSchema> {
  /** Numbers by project id, of each project that was written about. */
  readonly projectNumbers = new Map<string, number>();
}

/** Row without the marks of what the database generates. */
export interface MetricProject {
  number: number;
  id: string;
}

export type MetricReader = MetricDatabase | Transaction<MetricSchema>;
