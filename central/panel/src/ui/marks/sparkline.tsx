/**
 * A small line of the last values, drawn as one SVG path. A value that is not known is a gap in the line; a single
 * value is no line yet.
 */

import styles from "./sparkline.module.css";

export interface SparklineProps {
  /** The values, oldest first; null where nothing was measured. */
  values: readonly (number | null)[];
  /** Says what the line shows, with its last value. */
  label: string;
  /** The value at the upper edge, such as a limit; the greatest of the values when left out. */
  max?: number | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

export function Sparkline({ values, label, max, width = 96, height = 24 }: SparklineProps) {
  if (values.filter((value) => value !== null).length < 2) return null;
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={styles.line}
    >
      <path d={sparklinePath(values, { width, height, max })} />
    </svg>
  );
}

interface Box {
  width: number;
  height: number;
  max: number | undefined;
}

/** Returns path data with a new part after each gap; a value between two gaps becomes a dot. */
function sparklinePath(values: readonly (number | null)[], { width, height, max }: Box): string {
  const top = max ?? Math.max(1, ...values.map((value) => value ?? 0));
  const step = values.length > 1 ? (width - 2) / (values.length - 1) : 0;
  let path = "";
  values.forEach((value, index) => {
    if (value === null) return;
    const x = (1 + index * step).toFixed(1);
    const y = (height - 1 - (Math.min(value, top) / top) * (height - 2)).toFixed(1);
    const isStart = index === 0 || values[index - 1] === null;
    const isAlone = isStart && (values[index + 1] ?? null) === null;
    path += isStart ? `M${x} ${y}${isAlone ? "h0" : ""}` : `L${x} ${y}`;
  });
  return path;
}
