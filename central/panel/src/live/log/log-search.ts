/** What the address of the log page says: filters, and the line that a link points at. */

export interface LogSearch {
  section?: string;
  stream?: string;
  version?: number;
  q?: string;
  /** Only lines of this span up to now; a key of {@link spans}. */
  since?: string;
  /** Moment at which the log is opened. */
  from?: string;
  until?: string;
  /** Mark of the chosen line. */
  line?: string;
}

/** Milliseconds of the spans to choose from. */
export const spans = { "15m": 15 * 60_000, "1h": 3_600_000, "24h": 86_400_000, "7d": 7 * 86_400_000 };
export type Span = keyof typeof spans;

/** Keeps what is understood of an address, which anybody may have typed. */
export function readLogSearch(search: Record<string, unknown>): LogSearch {
  const read: LogSearch = {};
  for (const name of ["q", "line"] as const) {
    const value = search[name];
    if ((typeof value === "string" || typeof value === "number") && value !== "") {
      const text = String(value);
      if (text.length <= 200) read[name] = text;
    }
  }
  const known = {
    section: ["install", "app", "access"],
    stream: ["stdout", "stderr", "system"],
    since: Object.keys(spans),
  };
  for (const name of ["section", "stream", "since"] as const) {
    const value = known[name].find((choice) => choice === search[name]);
    if (value !== undefined) read[name] = value;
  }
  for (const name of ["from", "until"] as const) {
    const ms = Date.parse(String(search[name]));
    if (!Number.isNaN(ms)) read[name] = new Date(ms).toISOString();
  }
  const version = Number(search["version"]);
  if (Number.isSafeInteger(version) && version > 0) read.version = version;
  return read;
}
