/** Answers what was counted of the visits to a site in a period. */

import {
  analyticsIntervalSeconds,
  AppError,
  keptQuarterDays,
  keptValues,
  LatencyHistogram,
  mostAnalyticsDays,
  visitDimensions,
  VisitorSketch,
  VisitSums,
  windowSketch,
  type Analytics,
  type AnalyticsInterval,
  type AnalyticsPoint,
  type VisitDimension,
  type VisitTops,
} from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { listVisitSums, sumVisitTops, topStepSeconds, visitSteps } from "../../store/metrics/visit.ts";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { stepsBetween, stepStart } from "../metrics/metric-steps.ts";
import { getOwned } from "../projects/project.ts";
import type { VisitsContext } from "./visits-context.ts";

const daySeconds = 86_400;

interface AnalyticsQuery {
  start?: string | undefined;
  end?: string | undefined;
  interval: AnalyticsInterval;
}

/** A period in whole steps, in seconds since 1970. */
interface Period {
  from: number;
  until: number;
  stepSeconds: number;
}

export async function getAnalytics(
  app: VisitsContext,
  account: AccountRow,
  id: string,
  query: AnalyticsQuery,
): Promise<Analytics> {
  await getOwned(app.db, account, id);
  const period = periodOf(query, app.clock.now() / 1000);
  const { from, until, stepSeconds } = period;
  const rowSeconds = Math.min(stepSeconds, Math.max(...visitSteps));
  const ats = stepsBetween(from, until, rowSeconds);
  const rows = await listVisitSums(app.metrics, id, { stepSeconds: rowSeconds, ats });
  const hours = stepsBetween(stepStart(from, topStepSeconds), until, topStepSeconds);
  const tops = await sumVisitTops(app.metrics, id, hours);
  return {
    start: timestampOf(from),
    end: timestampOf(until),
    intervalSeconds: stepSeconds,
    totals: totalsOf(rows),
    latencyMs: latencyOf(rows),
    series: seriesOf(rows, stepSeconds),
    top: topOf(tops),
  };
}

/** Returns the period that was asked for. Throws `invalid_request` for one that cannot be. */
function periodOf(query: AnalyticsQuery, nowSeconds: number): Period {
  const until = secondsOf(query.end) ?? nowSeconds;
  const from = secondsOf(query.start) ?? until - daySeconds;
  if (!(from < until))
    throw new AppError("invalid_request", {
      extra: { field: "start" },
      detail: refusalDetails.periodEndsFirst,
    });
  if (until - from > mostAnalyticsDays * daySeconds) {
    throw new AppError("invalid_request", {
      extra: { field: "start" },
      detail: refusalDetails.periodTooLong(mostAnalyticsDays),
    });
  }
  const isOld = from < nowSeconds - keptQuarterDays * daySeconds;
  const stepSeconds = analyticsIntervalSeconds[query.interval === "15m" && isOld ? "1h" : query.interval];
  return {
    from: stepStart(from, stepSeconds),
    until: Math.ceil(until / stepSeconds) * stepSeconds,
    stepSeconds,
  };
}

function secondsOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time) / 1000;
}

type Row = { at: number; sums: VisitSums };

function seriesOf(rows: readonly Row[], stepSeconds: number): AnalyticsPoint[] {
  const steps = new Map<number, VisitSums>();
  for (const { at, sums } of rows) {
    const start = stepStart(at, stepSeconds);
    const known = steps.get(start);
    if (known === undefined) steps.set(start, sums.copy());
    else known.merge(sums);
  }
  return [...steps].map(([at, { visitors, requests, bytes, errors }]) => ({
    at: timestampOf(at),
    visits: visitors.estimate(),
    requests,
    bytes,
    errors,
  }));
}

/** Visitors are known for one day: those of several days are the sum of each day's. */
function totalsOf(rows: readonly Row[]): Analytics["totals"] {
  const totals = { visits: 0, requests: 0, bytes: 0, botRequests: 0 };
  const days = new Map<number, VisitorSketch>();
  for (const { at, sums } of rows) {
    totals.requests += sums.requests;
    totals.bytes += sums.bytes;
    totals.botRequests += sums.botRequests;
    const day = stepStart(at, daySeconds);
    const visitors = days.get(day) ?? new VisitorSketch(windowSketch);
    visitors.merge(sums.visitors);
    days.set(day, visitors);
  }
  for (const visitors of days.values()) totals.visits += visitors.estimate();
  return totals;
}

function latencyOf(rows: readonly Row[]): Analytics["latencyMs"] {
  const latency = new LatencyHistogram();
  for (const { sums } of rows) latency.merge(sums.latency);
  return { p50: latency.quantile(0.5), p95: latency.quantile(0.95), p99: latency.quantile(0.99) };
}

function topOf(tops: VisitTops): Analytics["top"] {
  const lists = visitDimensions.map((dimension) => [dimension, tops.get(dimension)?.list(keptValues) ?? []]);
  return Object.fromEntries(lists) as Record<VisitDimension, Analytics["top"][VisitDimension]>;
}

function timestampOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
