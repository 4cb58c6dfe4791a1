/** Formats figures as text for people. */

import { isReached, type Aim, type Figure } from "./bench.ts";

export function printFigure({ title, unit, rows, aim }: Figure): void {
  console.log(`\n${title}`);
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, sample } of rows) {
    const spread =
      sample.size > 1 ? `   ${number(sample.min)} – ${number(sample.max)}   (${sample.size}×)` : "";
    console.log(`  ${name.padEnd(width)}  ${`${number(sample.median)} ${unit}`.padStart(14)}${spread}`);
  }
  if (aim !== null) console.log(`  ${aimText(aim)}`);
}

function aimText(aim: Aim): string {
  const { of, value, unit, limit, isReachedBy } = aim;
  return `${isReached(aim) ? "✓" : "✗"} ${of}: ${number(value)} ${unit}, aim ${isReachedBy} ${number(limit)} ${unit}`;
}

function number(value: number): string {
  const digits = Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
