/**
 * Holds the rules of environment variables that the panel checks while a person types; browsers load this
 * file, so it imports no schema.
 */

import { lengths } from "./lengths.ts";

export const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Matches a name that the service does not set itself. */
export const unreservedPattern = /^(?!(?:PORT|HOST)$|SVC_)/;

/** True when the service sets a variable of this name itself. */
export function isReservedVariable(name: string): boolean {
  return !unreservedPattern.test(name);
}

/** Returns why a name is refused; null when it is accepted. */
export function problemOfName(name: string): "format" | "length" | "reserved" | null {
  if (name.length > lengths.variableName.most) return "length";
  if (!namePattern.test(name)) return "format";
  return isReservedVariable(name) ? "reserved" : null;
}

/** Returns the size of all variables: the bytes of all names and values. */
export function sizeOfVariables(all: Readonly<Record<string, string>>): number {
  const encoder = new TextEncoder();
  return Object.entries(all).reduce(
    (sum, [name, value]) => sum + encoder.encode(name).length + encoder.encode(value).length,
    0,
  );
}
