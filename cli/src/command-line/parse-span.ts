const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90s`, `10m`, `24h` or `2d` into milliseconds; undefined for any other text. */
export function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const unitMs = unitsMs[unit ?? ""];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}
