/** Shows the visits of a site on a terminal: sums, a line over time, and what is most frequent. */

import { visitDimensions, type Analytics } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { formatBytes, formatTable } from "../show/format.ts";
import { sparkline } from "./sparkline.ts";

/** Values of each top that are shown. */
const shownValues = 5;
const mostColumns = 60;

export function formatAnalytics(context: CommandContext, range: string, analytics: Analytics): string[] {
  const { messages, output } = context;
  const { locale } = messages;
  const texts = messages.project.analytics;
  const { totals, latencyMs, top } = analytics;
  if (totals.requests === 0) return [texts.none(range)];
  const number = (value: number) => value.toLocaleString(locale);
  const milliseconds = (value: number | null) => (value === null ? "-" : `${number(value)} ms`);
  const sums = formatTable([
    [texts.visits, number(totals.visits), sparkline(columnsOf(analytics))],
    [texts.requests, number(totals.requests), texts.ofBots(number(totals.botRequests))],
    [texts.sent, formatBytes(totals.bytes, locale), ""],
    [
      texts.latency,
      milliseconds(latencyMs.p50),
      `p95 ${milliseconds(latencyMs.p95)} · p99 ${milliseconds(latencyMs.p99)}`,
    ],
  ]);
  const tops = visitDimensions.flatMap((dimension) => {
    const values = top[dimension].slice(0, shownValues);
    if (values.length === 0) return [];
    const rows = values.map(({ value, visits, requests }) => [value, number(visits), number(requests)]);
    const table = formatTable([[texts.tops[dimension], texts.visits, texts.requests], ...rows]);
    return ["", ...table.map((line, index) => (index === 0 ? output.style("bold", line) : line))];
  });
  return [...sums, ...tops];
}

/** Returns the visits of each step, or of several together; a step without requests is 0. */
function columnsOf({ start, end, intervalSeconds, series }: Analytics): number[] {
  const from = Date.parse(start) / 1000;
  const steps = (Date.parse(end) / 1000 - from) / intervalSeconds;
  const perColumn = Math.max(1, Math.ceil(steps / mostColumns));
  const columns = Array.from({ length: Math.ceil(steps / perColumn) }, () => 0);
  for (const { at, visits } of series) {
    const index = Math.floor((Date.parse(at) / 1000 - from) / intervalSeconds / perColumn);
    columns[index] = (columns[index] ?? 0) + visits;
  }
  return columns;
}
