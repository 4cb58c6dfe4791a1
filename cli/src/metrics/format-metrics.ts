/** Shows a project's metrics on a terminal: one line per series. */

import { metricSteps, type MetricPoint, type MetricRange, type Metrics } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { formatBytes, formatTable, formatTime } from "../show/format.ts";
import { sparkline } from "./sparkline.ts";
import { summarizeSeries, type Sample, type Window } from "./summarize-series.ts";

const columns = 60;

interface Series {
  name: string;
  /** Limit of the series; `-` where there is none. */
  limit: string;
  valueOf: (point: MetricPoint) => number | null;
  format: (value: number) => string;
}

export function formatMetrics(context: CommandContext, range: MetricRange, metrics: Metrics): string[] {
  const { messages, output, clock } = context;
  const { locale } = messages;
  const texts = messages.project.metrics;
  if (metrics.points.length === 0) return [texts.none(range)];
  const window = windowOf(range, metrics, clock.now());
  const rows = seriesOf(context, metrics).map(({ name, limit, valueOf, format }) => {
    const summary = summarizeSeries(samplesOf(metrics.points, valueOf), window);
    const { figures } = summary;
    const numbers =
      figures === null ? ["-", "-", "-"] : [figures.min, figures.average, figures.max].map(format);
    return [name, sparkline(summary.columns), ...numbers, limit];
  });
  const period = texts.period(formatTime(window.fromMs, locale), formatTime(window.untilMs, locale));
  const table = formatTable([["", period, texts.min, texts.average, texts.max, texts.limit], ...rows]);
  const hasGaps = rows.some(([, line]) => line?.includes("·"));
  return [
    ...table.map((line, index) => (index === 0 ? output.style("bold", line) : line)),
    ...(hasGaps ? ["", texts.gaps] : []),
  ];
}

/** Returns the series in the order of their lines. */
function seriesOf({ messages }: CommandContext, metrics: Metrics): Series[] {
  const { locale } = messages;
  const texts = messages.project.metrics;
  return [
    {
      name: texts.memory,
      limit: `${rounded(metrics.memoryLimitMb, locale)} MB`,
      valueOf: (point) => point.memoryMb,
      format: (value) => `${rounded(value, locale)} MB`,
    },
    {
      name: texts.cpu,
      limit: metrics.cpuLimitPercent === null ? "-" : `${rounded(metrics.cpuLimitPercent, locale)}%`,
      valueOf: (point) => point.cpuPercent,
      format: (value) => `${rounded(value, locale)}%`,
    },
    {
      name: texts.networkIn,
      limit: "-",
      valueOf: (point) => point.networkInBps,
      format: (value) => `${formatBytes(value, locale)}/s`,
    },
    {
      name: texts.networkOut,
      limit: "-",
      valueOf: (point) => point.networkOutBps,
      format: (value) => `${formatBytes(value, locale)}/s`,
    },
    {
      name: texts.disk,
      limit: `${rounded(metrics.diskLimitMb, locale)} MB`,
      valueOf: (point) => point.diskMb,
      format: (value) => `${rounded(value, locale)} MB`,
    },
  ];
}

/** Returns the window up to now, or to the newest point when this computer's clock is behind. */
function windowOf(range: MetricRange, { stepSeconds, points }: Metrics, nowMs: number): Window {
  const untilMs = Math.max(nowMs, ...points.map(({ at }) => Date.parse(at)));
  return {
    fromMs: untilMs - metricSteps[range].rangeSeconds * 1_000,
    untilMs,
    stepMs: stepSeconds * 1_000,
    columns,
  };
}

function samplesOf(points: readonly MetricPoint[], valueOf: Series["valueOf"]): Sample[] {
  return points.flatMap((point) => {
    const value = valueOf(point);
    return value === null ? [] : [{ atMs: Date.parse(point.at), value }];
  });
}

function rounded(value: number, locale: string): string {
  return value.toLocaleString(locale, { maximumFractionDigits: 1 });
}
