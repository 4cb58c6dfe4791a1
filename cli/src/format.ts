/** Numbers and tables as people read them. */

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

/** Columns as wide as their widest cell, the last one open. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, column) => Math.max(all[column] ?? 0, cell.length)), []);
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

/** Characters that could steer a terminal are shown as what they are; colours pass. */
export function printable(text: string): string {
  const shown = text.replaceAll(steering, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return shown.includes("\u001b") ? `${shown}\u001b[0m` : shown;
}

/** Control characters but tab and newline, and an escape that begins no colour. */
// oxlint-disable-next-line no-control-regex -- exactly these are meant
const steering = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]|\u001b(?!\[[0-9;]*m)/g;
