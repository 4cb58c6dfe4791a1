/** Numbers and tables as people read them. */

import { stripVTControlCharacters } from "node:util";

/** `1,2 MB`, in the numbers of the language. */
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

/** `90 s`, `15 min`, `23 h`: in the unit that says enough. */
export function formatDuration(seconds: number): string {
  if (seconds <= 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

/** Day and time of this computer's zone. */
export function formatTime(atMs: number, locale: string): string {
  return new Date(atMs).toLocaleString(locale, { dateStyle: "short", timeStyle: "medium" });
}

/** Columns as wide as their widest cell, the last one open. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, column) => Math.max(all[column] ?? 0, widthOf(cell))), []);
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - widthOf(cell))))
      .join("  ")
      .trimEnd(),
  );
}

/** Colours take no room. */
function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}

/** Characters that could steer a terminal are shown as what they are; colours pass. */
export function printable(text: string): string {
  const shown = text.replaceAll(steering, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return shown.includes("\u001b") ? `${shown}\u001b[0m` : shown;
}

/** Control characters but tab and newline, and an escape that begins no colour. */
// oxlint-disable-next-line no-control-regex -- exactly these are meant
const steering = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]|\u001b(?!\[[0-9;]*m)/g;
