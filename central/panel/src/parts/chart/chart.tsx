/** A chart of a few lines over time, on a canvas (uPlot), with the numbers as a table beside it. Load it lazily. */

import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "react";
import UPlot from "uplot";
import { clockTime, dateTime, locale } from "../../formats/formats.ts";
import { usePreferences } from "../../preferences/preferences.ts";
import type { Columns } from "./series.ts";
import styles from "./chart.module.css";

export interface ChartLine {
  label: string;
  /** A custom property of the tokens, such as `--brick`. */
  colour: string;
}

interface ChartProps {
  label: string;
  columns: Columns;
  lines: readonly ChartLine[];
  /** A value that is drawn as a dashed line, such as a limit; null when there is none. */
  limit: number | null;
  format: (value: number) => string;
  /** True for bytes, kilobytes or megabytes; false when left out. */
  isBinary?: boolean;
  /** The least height of the scale, so that next to nothing does not look like much. */
  least: number;
  /** Seconds since 1970 at which something happened, drawn as thin upright lines. */
  marks: readonly number[];
  /** First and last second of the period; the axis spans it even where nothing was measured. */
  from: number;
  until: number;
}

const height = 200;
/** Below this many points each is drawn, since a single one is no line. */
const fewPoints = 30;
/** Steps of a scale of bytes: powers of two, so that its words are round. */
const binarySteps = Array.from({ length: 50 }, (_, power) => 2 ** power);

export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const { theme, language } = usePreferences();
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const draw = () => {
      element.replaceChildren();
      return new UPlot(optionsFor(props, element.clientWidth), dataOf(props), element);
    };
    let plot = draw();
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const redraw = () => {
      plot.destroy();
      plot = draw();
    };
    dark.addEventListener("change", redraw);
    return () => {
      dark.removeEventListener("change", redraw);
      resize.disconnect();
      plot.destroy();
    };
  }, [props, theme, language]);
  return <div ref={place} role="img" aria-label={props.label} className={styles.chart} />;
}

function dataOf({ columns, limit }: ChartProps): UPlot.AlignedData {
  const limits = limit === null ? [] : [columns.times.map(() => limit)];
  return [columns.times, ...columns.lines, ...limits] as UPlot.AlignedData;
}

function optionsFor(props: ChartProps, width: number): UPlot.Options {
  const { columns, lines, limit, format, from, until } = props;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--soft"),
    font: `12px ${style.getPropertyValue("--font-text")}`,
    grid: { stroke: colour("--hairline"), width: 1 },
    ticks: { stroke: colour("--hairline"), width: 1 },
  };
  const span = until - from;
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: true, min: from, max: until },
      y: { range: (_plot, _min, max) => [0, Math.max(props.least, (max ?? 0) * 1.1)] },
    },
    axes: [
      { ...axis, values: (_plot, times) => times.map((time) => tick(time, span)) },
      {
        ...axis,
        ...(props.isBinary === true ? { incrs: binarySteps } : {}),
        size: (_plot, values) => widthOf(values ?? []),
        values: (_plot, values) => values.map(format),
      },
    ],
    series: [
      {},
      ...lines.map(({ label, colour: name }) => ({
        label,
        stroke: colour(name),
        width: 1.5,
        spanGaps: false,
        points: { show: columns.times.length < fewPoints, size: 4 },
      })),
      ...(limit === null
        ? []
        : [{ stroke: colour("--line"), width: 1, dash: [4, 4], points: { show: false } }]),
    ],
    hooks: { draw: [(plot) => drawMarks(plot, props.marks, colour("--bad"))] },
  };
}

/** Pixels for the longest of the words beside the axis, at 7 for a letter, and its tick. */
function widthOf(words: readonly string[]): number {
  return 20 + 7 * Math.max(4, ...words.map(({ length }) => length));
}

/** Seconds up to which an axis names hours: a day, and the step in which it begins. */
const hourlySpan = 90_000;

function tick(time: number, span: number): string {
  if (span <= hourlySpan) return clockTime(time * 1000).slice(0, 5);
  return new Intl.DateTimeFormat(locale(), { day: "2-digit", month: "2-digit" }).format(
    new Date(time * 1000),
  );
}

function drawMarks(plot: UPlot, marks: readonly number[], colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  for (const mark of marks) {
    const x = Math.round(plot.valToPos(mark, "x", true)) + 0.5;
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

interface ChartTableProps {
  columns: Columns;
  lines: readonly ChartLine[];
  format: (value: number) => string;
  timeWord: string;
  caption: string;
}

/** Rows of the table at most: a chart of a day has hundreds of points. */
const tableRows = 60;

/** The same numbers for those who do not see the canvas; of many points, every n-th. */
export function ChartTable({ columns, lines, format, timeWord, caption }: ChartTableProps) {
  const every = Math.max(1, Math.ceil(columns.times.length / tableRows));
  const rows = columns.times.flatMap((time, index) => (index % every === 0 ? [{ time, index }] : []));
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{timeWord}</th>
          {lines.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ time, index }) => (
          <tr key={time}>
            <th scope="row">{dateTime(time * 1000)}</th>
            {lines.map(({ label }, line) => {
              const value = columns.lines[line]?.[index] ?? null;
              return <td key={label}>{value === null ? "" : format(value)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
