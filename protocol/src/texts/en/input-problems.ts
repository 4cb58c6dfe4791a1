import type { inputProblems as pt } from "../pt/input-problems.ts";

export const inputProblems: typeof pt = {
  body: "Body",
  whole: (what, reason) => `${what}: ${reason}.`,
  field: (name) => `Field: ${name}.`,
  fieldBecause: (name, reason) => `Field: ${name} (${reason}).`,
  missing: "is required",
  unknown: "does not exist here",
  mustBe: (what) => `must be ${what}`,
  types: {
    string: "a text",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    record: "an object",
  },
  formats: {
    email: "must be an e-mail address, like ana@example.com",
    datetime: "must be a time in UTC, like 2026-01-31T12:00:00Z",
  },
  oneOf: (values) => `must be one of: ${values}`,
  oneOfMany: "is none of the accepted values, which /api/docs lists",
  atLeast: (amount) => `at least ${amount}`,
  atMost: (amount) => `at most ${amount}`,
  units: { string: ["character", "characters"], array: ["item", "items"] },
};
