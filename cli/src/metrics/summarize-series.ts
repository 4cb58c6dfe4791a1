/** Summarizes a series over a window of time for a line of text. */

export interface Sample {
  atMs: number;
  value: number;
}

export interface Window {
  fromMs: number;
  untilMs: number;
  /** Milliseconds between two samples. */
  stepMs: number;
  columns: number;
}

export interface SeriesSummary {
  /** The average of each column; null where there is no sample. */
  columns: (number | null)[];
  /** Figures of the series; null without any sample. */
  figures: { min: number; average: number; max: number } | null;
}

/** Summarizes a series. A column is never narrower than a step, so that gaps are missing samples. */
export function summarizeSeries(
  samples: readonly Sample[],
  { fromMs, untilMs, stepMs, columns }: Window,
): SeriesSummary {
  const count = Math.max(1, Math.min(columns, Math.floor((untilMs - fromMs) / stepMs)));
  const widthMs = (untilMs - fromMs) / count;
  const buckets = Array.from({ length: count }, (): number[] => []);
  const within = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs);
  for (const { atMs, value } of within)
    buckets[Math.min(count - 1, Math.floor((atMs - fromMs) / widthMs))]?.push(value);
  const values = within.map(({ value }) => value);
  return {
    columns: buckets.map((bucket) => (bucket.length === 0 ? null : averageOf(bucket))),
    figures:
      values.length === 0
        ? null
        : { min: Math.min(...values), average: averageOf(values), max: Math.max(...values) },
  };
}

function averageOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
