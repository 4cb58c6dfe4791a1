/** Who visits a site: how many, over time, from where and to what, and how it is at this moment. */

import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { OperationAnswer } from "@tijolo/protocol/client";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { refresh, useRead } from "../../api/use-read.ts";
import { bytes, clockTime, integer } from "../../formats/formats.ts";
import { useLiveProject } from "../../live/live-store.ts";
import { TopCard, type Dimension } from "../../parts/analytics/top-card.tsx";
import { visitColumns } from "../../parts/analytics/visit-columns.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { useNow } from "../../parts/use-now.ts";
import { analyticsTexts } from "../../texts/project/analytics.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Radios } from "../../ui/fields/radios.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import styles from "./analytics-page.module.css";

const Chart = lazy(async () => ({ default: (await import("../../parts/chart/chart.tsx")).Chart }));
const ChartTable = lazy(async () => ({ default: (await import("../../parts/chart/chart.tsx")).ChartTable }));

type Analytics = OperationAnswer<"getAnalytics">["analytics"];

const ranges = ["24h", "7d", "30d"] as const;
type Range = (typeof ranges)[number];
const periods = {
  "24h": { days: 1, interval: "15m" },
  "7d": { days: 7, interval: "1h" },
  "30d": { days: 30, interval: "1d" },
} as const;
const quarterMs = 900_000;
const dayMs = 86_400_000;
/** The order of the cards: what most people ask first. */
const dimensions: readonly Dimension[] = [
  "paths",
  "referrers",
  "countries",
  "devices",
  "browsers",
  "systems",
  "statuses",
  "methods",
  "bots",
];

export function Page() {
  const texts = useTexts(analyticsTexts);
  const { projectId } = useParams({ from: "/app/projects/$projectId/analytics" });
  const search = useSearch({ from: "/app/projects/$projectId/analytics" });
  const navigate = useNavigate();
  const isSite = useLiveProject(projectId)?.project.type !== "bot";
  const range = ranges.find((name) => name === search.range) ?? "24h";
  const now = useNow();
  // A start that moves by quarters of an hour: what was read is the answer to the same question until then.
  const quarter = Math.floor(now / quarterMs) * quarterMs;
  const { days, interval } = periods[range];
  const start = new Date(quarter - days * dayMs).toISOString();
  const read = useRead("getAnalytics", { id: projectId, query: { start, interval } }, { isEnabled: isSite });
  const lately = useRead(
    "getAnalytics",
    { id: projectId, query: { start: new Date(quarter).toISOString(), interval: "15m" } },
    { isEnabled: isSite },
  );
  useEffect(() => {
    if (isSite && document.visibilityState === "visible") void refresh("getAnalytics");
  }, [now, isSite]);
  if (!isSite) {
    return (
      <PageHead title={texts.title}>
        <Empty sentence={texts.noSite}>{texts.noSiteHint}</Empty>
      </PageHead>
    );
  }
  const choose = (value: Range) =>
    void navigate({
      to: "/projects/$projectId/analytics",
      params: { projectId },
      search: value === "24h" ? {} : { range: value },
      replace: true,
    });
  return (
    <PageHead
      title={texts.title}
      intro={texts.intro}
      actions={
        <Radios
          isRow
          isLabelHidden
          label={texts.range}
          value={range}
          options={ranges.map((value) => ({ value, label: texts.ranges[value] }))}
          onValue={choose}
        />
      }
    >
      <Reading of={read} skeleton={<Skeleton height="12rem" count={4} label={texts.title} />}>
        {({ analytics }) => <Visits analytics={analytics} lately={lately.data?.analytics} now={now} />}
      </Reading>
    </PageHead>
  );
}

interface VisitsProps {
  analytics: Analytics;
  /** Visits since the current quarter of an hour began. */
  lately: Analytics | undefined;
  now: number;
}

function Visits({ analytics, lately, now }: VisitsProps) {
  const texts = useTexts(analyticsTexts);
  if (analytics.totals.requests === 0) return <Empty sentence={texts.none}>{texts.noneHint}</Empty>;
  return (
    <div className={styles.page}>
      <Figures analytics={analytics} lately={lately} />
      <OverTime analytics={analytics} now={now} />
      <div className={styles.tops}>
        {dimensions.map((dimension) => (
          <TopCard key={dimension} dimension={dimension} values={analytics.top[dimension]} />
        ))}
      </div>
    </div>
  );
}

function Figures({ analytics: { totals, latencyMs }, lately }: Omit<VisitsProps, "now">) {
  const texts = useTexts(analyticsTexts);
  const figures = [
    [texts.visits, integer(totals.visits)],
    [texts.requests, integer(totals.requests)],
    [texts.bots, integer(totals.botRequests)],
    [texts.sent, bytes(totals.bytes)],
    [texts.latency, milliseconds(latencyMs.p50)],
    [texts.slowLatency, milliseconds(latencyMs.p95)],
  ];
  return (
    <dl className={styles.figures}>
      {lately !== undefined && (
        <div>
          <dt>{texts.now(clockTime(lately.start).slice(0, 5))}</dt>
          <dd className={styles.now}>
            {texts.nowOf(integer(lately.totals.visits), integer(lately.totals.requests))}
          </dd>
        </div>
      )}
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function milliseconds(value: number | null): string {
  return value === null ? "—" : `${integer(value)} ms`;
}

/** Names whole numbers on the axis alone: there are no halves of a visit. */
function whole(value: number): string {
  return Number.isInteger(value) ? integer(value) : "";
}

function OverTime({ analytics, now }: Omit<VisitsProps, "lately">) {
  const texts = useTexts(analyticsTexts);
  const step = Math.floor(now / 1000 / analytics.intervalSeconds);
  const columns = useMemo(() => visitColumns(analytics, now), [analytics, step]);
  const [visits = [], requests = []] = columns.lines;
  const peak = (line: readonly (number | null)[]) =>
    integer(line.reduce<number>((most, value) => Math.max(most, value ?? 0), 0));
  const words = texts.peak(peak(visits), peak(requests));
  const lines = [
    { label: texts.visits, colour: "--brick" },
    { label: texts.requests, colour: "--info" },
    { label: texts.errors, colour: "--bad" },
  ];
  return (
    <TitledCard title={texts.overTime} description={words}>
      <Suspense fallback={<Skeleton height="200px" />}>
        <Chart
          label={`${texts.chart}. ${words}`}
          columns={columns}
          lines={lines}
          limit={null}
          format={whole}
          least={4}
          marks={[]}
          from={Date.parse(analytics.start) / 1000}
          until={Math.min(now, Date.parse(analytics.end)) / 1000}
        />
        <p className={styles.legend}>
          {lines.map(({ label }, index) => (
            <span key={label} className={[styles.first, styles.second, styles.third][index]}>
              {label}
            </span>
          ))}
        </p>
        <details>
          <summary>{texts.table}</summary>
          <div className={styles.table}>
            <ChartTable
              columns={columns}
              lines={lines}
              format={integer}
              timeWord={texts.time}
              caption={texts.overTime}
            />
          </div>
        </details>
      </Suspense>
    </TitledCard>
  );
}
