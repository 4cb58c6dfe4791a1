/** The rows of variables that a person edits, and what saving them would change. Pure. */

import { problemOfName, sizeOfVariables } from "@tijolo/protocol/variables";

export interface VariableRow {
  /** Stays the same while the name is typed. */
  key: number;
  name: string;
  value: string;
}

export type Variables = Readonly<Record<string, string>>;

/** What a change does to one name; values are shown nowhere. */
export interface VariableDifference {
  added: string[];
  changed: string[];
  removed: string[];
}

export type RowProblem = "format" | "length" | "reserved" | "twice";

let lastKey = 0;

export function newRow(name = "", value = ""): VariableRow {
  return { key: ++lastKey, name, value };
}

export function rowsOf(variables: Variables): VariableRow[] {
  return Object.entries(variables)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => newRow(name, value));
}

/** The variables that the rows make; a row without name and value is nothing. */
export function variablesOf(rows: readonly VariableRow[]): Variables {
  return Object.fromEntries(rows.filter((row) => !isBlank(row)).map(({ name, value }) => [name, value]));
}

export function differenceOf(before: Variables, after: Variables): VariableDifference {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return {
    added: names.filter((name) => !Object.hasOwn(before, name)),
    changed: names.filter(
      (name) => Object.hasOwn(before, name) && Object.hasOwn(after, name) && before[name] !== after[name],
    ),
    removed: names.filter((name) => !Object.hasOwn(after, name)),
  };
}

export function isSame({ added, changed, removed }: VariableDifference): boolean {
  return added.length + changed.length + removed.length === 0;
}

/** The body of the change: values that are new or other, null for what is removed. */
export function changeOf(before: Variables, after: Variables): Record<string, string | null> {
  const { added, changed, removed } = differenceOf(before, after);
  return Object.fromEntries([
    ...[...added, ...changed].map((name) => [name, after[name] ?? ""]),
    ...removed.map((name) => [name, null]),
  ]) as Record<string, string | null>;
}

/** Why a row is refused; null when it is fine. */
export function problemOf(row: VariableRow, rows: readonly VariableRow[]): RowProblem | null {
  if (isBlank(row)) return null;
  const isTwice = rows.some(({ key, name }) => key !== row.key && name === row.name);
  return isTwice ? "twice" : problemOfName(row.name);
}

export function bytesOf(rows: readonly VariableRow[]): number {
  return sizeOfVariables(variablesOf(rows));
}

/** Puts variables of a `.env` into the rows: a name that is there gets the new value. */
export function withPasted(rows: readonly VariableRow[], pasted: ReadonlyMap<string, string>): VariableRow[] {
  const kept = rows
    .filter((row) => !isBlank(row))
    .map((row) => ({ ...row, value: pasted.get(row.name) ?? row.value }));
  const known = new Set(kept.map(({ name }) => name));
  const added = [...pasted].filter(([name]) => !known.has(name));
  return [...kept, ...added.map(([name, value]) => newRow(name, value))];
}

/**
 * The rows on top of what somebody else saved meanwhile: what this person changed stays, the rest is as it is
 * now.
 */
export function rebased(rows: readonly VariableRow[], before: Variables, now: Variables): VariableRow[] {
  const own = changeOf(before, variablesOf(rows));
  const merged: Record<string, string> = { ...now };
  for (const [name, value] of Object.entries(own)) {
    if (value === null) delete merged[name];
    else merged[name] = value;
  }
  return rowsOf(merged);
}

function isBlank({ name, value }: VariableRow): boolean {
  return name === "" && value === "";
}
