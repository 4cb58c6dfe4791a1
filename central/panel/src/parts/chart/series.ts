/** Makes the columns of a chart of measured points: times that are even, and gaps where nothing was measured. Pure. */

export interface Measured {
  /** ISO 8601. */
  at: string;
}

export interface Columns {
  /** Seconds since 1970. */
  times: number[];
  /** One column per line; null where nothing was measured. */
  lines: (number | null)[][];
}

/** `read` has one function for each line; a step without a point becomes a gap of one null. */
export function columnsOf<Point extends Measured>(
  points: readonly Point[],
  stepSeconds: number,
  read: readonly ((point: Point) => number | null)[],
): Columns {
  const times: number[] = [];
  const lines: (number | null)[][] = read.map(() => []);
  let before: number | undefined;
  for (const point of points) {
    const at = Date.parse(point.at) / 1000;
    if (before !== undefined && at - before > stepSeconds * 1.5) {
      times.push(before + stepSeconds);
      for (const line of lines) line.push(null);
    }
    times.push(at);
    read.forEach((of, index) => lines[index]?.push(of(point)));
    before = at;
  }
  return { times, lines };
}
