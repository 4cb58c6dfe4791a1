/** Defines how much the programs write to their logs. */

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export type LogLevel = (typeof logLevels)[number];

/** Parses the variable `TIJOLO_LOG_LEVEL`. Throws with a sentence that names it. */
export function parseLogLevel(text: string | undefined): LogLevel {
  const level = logLevels.find((name) => name === (text || "info"));
  if (level !== undefined) return level;
  const choice = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(logLevels);
  throw new Error(`TIJOLO_LOG_LEVEL must be ${choice}, not ${JSON.stringify(text)}.`);
}
