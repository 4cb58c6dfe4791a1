/** Defines a project's environment variables (spec: GET and PUT /projects/{id}/variables). */

import { z } from "zod";
import { described } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { lengths } from "../values/lengths.ts";
import { namePattern, unreservedPattern } from "../values/variable-rules.ts";

export { isReservedVariable, sizeOfVariables } from "../values/variable-rules.ts";

export const variableName = z
  .string()
  .max(lengths.variableName.most)
  .regex(namePattern, inputReasons.badVariableName.pt)
  .regex(unreservedPattern, inputReasons.reservedVariable.pt);

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
