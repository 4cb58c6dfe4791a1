/** Formats numbers and tables as people read them. */

import { stripVTControlCharacters } from "node:util";
import { printableLine } from "./printable.ts";

/** Returns `1,2 MB`, in the numbers of the language. */
export function formatBytes(bytes: number, locale: string): string {
  const units = ["B", "kB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toLocaleString(locale, { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${units[unit] ?? ""}`;
}

/** Returns `90 s`, `15 min` or `23 h`: the unit that says enough. */
export function formatDuration(seconds: number): string {
  if (seconds <= 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

/** Returns day and time in this computer's time zone. */
export function formatTime(atMs: number, locale: string): string {
  return new Date(atMs).toLocaleString(locale, { dateStyle: "short", timeStyle: "medium" });
}

/** Aligns columns as wide as their widest cell, the last one open. A cell is one line, whatever it holds. */
export function formatTable(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((row) => row.map((cell) => printableLine(cell)));
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, column) => Math.max(all[column] ?? 0, widthOf(cell))),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** Returns the width of a text; colours take no room. */
function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
