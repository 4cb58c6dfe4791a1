/** Makes the columns of a chart of visits: a step that nobody visited in is zero, not a gap. Pure. */

import type { Columns } from "../chart/series.ts";

export interface VisitSeries {
  /** ISO 8601. */
  start: string;
  end: string;
  intervalSeconds: number;
  series: readonly { at: string; visits: number; requests: number; errors: number }[];
}

/** Returns visits, requests and errors of each step up to the one that `nowMs` lies in. */
export function visitColumns({ start, end, intervalSeconds, series }: VisitSeries, nowMs: number): Columns {
  const from = Date.parse(start) / 1000;
  const until = Math.min(Date.parse(end) / 1000, nowMs / 1000);
  const steps = Math.max(0, Math.ceil((until - from) / intervalSeconds));
  const known = new Map(series.map((point) => [Date.parse(point.at) / 1000, point]));
  const times = Array.from({ length: steps }, (_, index) => from + index * intervalSeconds);
  const points = times.map((time) => known.get(time));
  return {
    times,
    lines: [
      points.map((point) => point?.visits ?? 0),
      points.map((point) => point?.requests ?? 0),
      points.map((point) => point?.errors ?? 0),
    ],
  };
}
