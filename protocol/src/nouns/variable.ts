/** Defines a project's environment variables (spec: GET and PUT /projects/{id}/variables). */

import { z } from "zod";
import { described } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";

const notReserved = /^(?!(?:PORT|HOST)$|SVC_)/;

/** True when the service sets a variable of this name itself. */
export function isReservedVariable(name: string): boolean {
  return !notReserved.test(name);
}

export const variableName = z
  .string()
  .max(256)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, inputReasons.badVariableName.pt)
  .regex(notReserved, inputReasons.reservedVariable.pt);

/** Any text that an environment can hold: without NUL, and well-formed. */
export const variableValue = z
  .string()
  .regex(/^[^\0]*$/, inputReasons.nul.pt)
  .refine((value) => value.isWellFormed(), inputReasons.halfCharacter.pt);

export const variables = z.record(variableName, variableValue);
export type Variables = z.infer<typeof variables>;

/** Body of PUT: replaces all. */
export const variablesReplacement = described(z.strictObject({ variables }), {
  variables: {
    pt: "Nome e valor de cada variável; na requisição, substituem todas.",
    en: "The name and the value of each variable; in the request they replace all.",
  },
});

/** Body of PATCH: merges; null removes. */
export const variablesChange = described(
  z.strictObject({ variables: z.record(variableName, variableValue.nullable()) }),
  {
    variables: {
      pt: "Nome e valor de cada variável; na requisição, null remove e as que não vêm ficam como estão.",
      en: "The name and the value of each variable; in the request, null removes, and those that are not sent stay as they are.",
    },
  },
);
export type VariablesChange = z.infer<typeof variablesChange>["variables"];

/** Returns the size of all variables: the bytes of all names and values. */
export function sizeOfVariables(all: Variables): number {
  const encoder = new TextEncoder();
  return Object.entries(all).reduce(
    (sum, [name, value]) => sum + encoder.encode(name).length + encoder.encode(value).length,
    0,
  );
}
