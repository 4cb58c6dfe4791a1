/** Memory, processor, network and disk over time, with what happened meanwhile. */

import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { OperationAnswer } from "@tijolo/protocol/client";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { refresh, useRead } from "../../api/use-read.ts";
import { bytes, dateTime, megabytes, percent } from "../../formats/formats.ts";
import { useLive } from "../../live/live-store.ts";
import { columnsOf, type Columns } from "../../parts/chart/series.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { useTexts } from "../../texts/in-both.ts";
import { metricsTexts } from "../../texts/project/metrics.ts";
import { overviewTexts } from "../../texts/project/overview.ts";
import { Radios } from "../../ui/fields/radios.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import styles from "./metrics-page.module.css";

const Chart = lazy(async () => ({ default: (await import("../../parts/chart/chart.tsx")).Chart }));
const ChartTable = lazy(async () => ({ default: (await import("../../parts/chart/chart.tsx")).ChartTable }));

type Metrics = OperationAnswer<"getMetrics">;
type Point = Metrics["points"][number];
type Event = OperationAnswer<"listProjectEvents">["events"][number];

const ranges = ["1h", "6h", "24h", "7d", "30d"] as const;
type Range = (typeof ranges)[number];
const seconds: Record<Range, number> = {
  "1h": 3_600,
  "6h": 21_600,
  "24h": 86_400,
  "7d": 604_800,
  "30d": 2_592_000,
};
/** Events that explain a bend of a line. */
const marking = new Set<Event["kind"]>(["upload", "rollback", "crash", "crash_loop", "start", "restart"]);

export function Page() {
  const texts = useTexts(metricsTexts);
  const { projectId } = useParams({ from: "/app/projects/$projectId/metrics" });
  const search = useSearch({ from: "/app/projects/$projectId/metrics" });
  const navigate = useNavigate();
  const range = ranges.find((name) => name === search.range) ?? "1h";
  const read = useRead("getMetrics", { id: projectId, query: { range } });
  const events = useRead("listProjectEvents", { id: projectId, query: { limit: 100 } });
  useNewPoints(read.data?.stepSeconds);
  const choose = (value: Range) =>
    void navigate({
      to: "/projects/$projectId/metrics",
      params: { projectId },
      search: value === "1h" ? {} : { range: value },
      replace: true,
    });
  return (
    <PageHead
      title={texts.title}
      actions={
        <Radios
          isBar
          isLabelHidden
          label={texts.range}
          value={range}
          options={ranges.map((value) => ({ value, label: texts.ranges[value] }))}
          onValue={choose}
        />
      }
    >
      <Reading of={read} skeleton={<Skeleton height="16rem" count={4} label={texts.title} />}>
        {(metrics) => (
          <Charts
            metrics={metrics}
            range={range}
            events={(events.data?.events ?? []).filter(({ kind }) => marking.has(kind))}
            projectId={projectId}
          />
        )}
      </Reading>
    </PageHead>
  );
}

/** Reads again when the live stream brings a usage that begins a new step; nothing is asked while nothing runs. */
function useNewPoints(stepSeconds: number | undefined): void {
  const step = useLive(({ usageAt }) =>
    usageAt === null || stepSeconds === undefined ? 0 : Math.floor(Date.parse(usageAt) / 1000 / stepSeconds),
  );
  useEffect(() => {
    if (step > 0) void refresh("getMetrics");
  }, [step]);
}

interface ChartsProps {
  metrics: Metrics;
  range: Range;
  events: readonly Event[];
  projectId: string;
}

function Charts({ metrics, range, events, projectId }: ChartsProps) {
  const texts = useTexts(metricsTexts);
  const { points, memoryLimitMb, cpuLimitPercent, diskLimitMb } = metrics;
  const memory = useColumns(metrics, [({ memoryMb }) => memoryMb]);
  const cpu = useColumns(metrics, [({ cpuPercent }) => cpuPercent]);
  const network = useColumns(metrics, [
    ({ networkInBps }) => networkInBps,
    ({ networkOutBps }) => networkOutBps,
  ]);
  const disk = useColumns(metrics, [({ diskMb }) => diskMb]);
  if (points.length === 0) return <Empty sentence={texts.none}>{texts.noneHint}</Empty>;
  const common = { range, events };
  const perSecond = (value: number) => `${bytes(value)}/s`;
  return (
    <div className={styles.charts}>
      <Measure {...common} title={texts.memory} columns={memory} limit={memoryLimitMb} format={megabytes} />
      <Measure
        {...common}
        title={texts.cpu}
        columns={cpu}
        limit={cpuLimitPercent}
        format={percent}
        isBinary={false}
      />
      <Measure
        {...common}
        title={texts.network}
        columns={network}
        limit={null}
        format={perSecond}
        least={1024}
        labels={[texts.received, texts.sent]}
      />
      <Measure {...common} title={texts.disk} columns={disk} limit={diskLimitMb} format={megabytes} />
      <Moments events={events} range={range} projectId={projectId} />
    </div>
  );
}

function useColumns(metrics: Metrics, read: ((point: Point) => number | null)[]): Columns {
  // The functions read the same fields at each drawing: only the points decide.
  return useMemo(() => columnsOf(metrics.points, metrics.stepSeconds, read), [metrics]);
}

interface MeasureProps {
  title: string;
  columns: Columns;
  limit: number | null;
  format: (value: number) => string;
  labels?: readonly string[];
  least?: number;
  isBinary?: boolean;
  range: Range;
  events: readonly Event[];
}

const colours = ["--brick", "--info"];

function Measure(props: MeasureProps) {
  const { title, columns, limit, format, labels, least = 1, isBinary = true, range, events } = props;
  const texts = useTexts(metricsTexts);
  const lines = (labels ?? [texts.used]).map((label, index) => ({
    label,
    colour: colours[index] ?? "--ink",
  }));
  const known = columns.lines.flat().filter((value) => value !== null);
  const last = columns.lines[0]?.findLast((value) => value !== null) ?? 0;
  const until = columns.times.at(-1) ?? 0;
  const words = [
    texts.last(format(last)),
    texts.peak(format(known.reduce((most, value) => Math.max(most, value), 0))),
    ...(limit === null ? [] : [texts.limit(format(limit))]),
  ];
  return (
    <TitledCard title={title} description={words.join(" · ")}>
      <Suspense fallback={<Skeleton height="200px" />}>
        <Chart
          label={`${texts.chartOf(title)}. ${words.join(". ")}`}
          columns={columns}
          lines={lines}
          limit={limit}
          format={format}
          isBinary={isBinary}
          least={least}
          marks={events.map(({ at }) => Date.parse(at) / 1000)}
          from={until - seconds[range]}
          until={until}
        />
        {lines.length > 1 && (
          <p className={styles.legend}>
            {lines.map(({ label }, index) => (
              <span key={label} className={index === 0 ? styles.first : styles.second}>
                {label}
              </span>
            ))}
          </p>
        )}
        <details>
          <summary>{texts.table}</summary>
          <div className={styles.table}>
            <ChartTable
              columns={columns}
              lines={lines}
              format={format}
              timeWord={texts.time}
              caption={title}
            />
          </div>
        </details>
      </Suspense>
    </TitledCard>
  );
}

/** What the upright lines are, each with the way to the log of that moment. */
function Moments({
  events,
  range,
  projectId,
}: {
  events: readonly Event[];
  range: Range;
  projectId: string;
}) {
  const texts = useTexts(metricsTexts);
  const { kinds } = useTexts(overviewTexts);
  const first = Date.now() - seconds[range] * 1000;
  const shown = events.filter(({ at }) => Date.parse(at) >= first).slice(0, 20);
  if (shown.length === 0) return null;
  return (
    <TitledCard title={texts.events}>
      <ul className={styles.moments}>
        {shown.map(({ id, at, kind }) => (
          <li key={id}>
            <Link
              to="/projects/$projectId/logs"
              params={{ projectId }}
              search={{ from: at }}
              aria-label={`${kinds[kind]}, ${dateTime(at)}. ${texts.openLog}`}
            >
              {kinds[kind]}, {dateTime(at)}
            </Link>
          </li>
        ))}
      </ul>
    </TitledCard>
  );
}
