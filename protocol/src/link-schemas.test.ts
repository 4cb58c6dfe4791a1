/**
 * Every text and number of the link's messages is bounded: a text ends at a length and leaves its schema
 * without a character that steers a terminal (it is refused, or the character is replaced), a number has both
 * bounds. Walks all schemas of `link-messages.ts` and `link-router.ts`, so that no field can be written
 * without.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { linkRouter } from "./link/link-router.ts";
import { z } from "zod";
import * as linkMessages from "./link/link-messages.ts";

/** Fields that people wrote, or that their programs print: they travel unchanged, with a bounded length. */
const contents = new Set([
  "hostAnswer.items[].line.text",
  "logRequest.q",
  "hostRequest.request.query.q",
  ...[
    "desiredUpdate.upserts[]",
    "tellHeld.projects[].assignment",
    "hostAnswer.items[].project.assignment",
  ].flatMap((assignment) => [
    ...["entry", "command", "installCommand", "root"].map((name) => `${assignment}.settings.${name}`),
    ...["name", "description"].map((name) => `${assignment}.project.${name}`),
    `${assignment}.variables{}`,
  ]),
]);

/** No text is longer: a frame is not. */
const maxTextLength = 8 * 1024 * 1024;
/** Longest text that people did not write. */
const maxPlainLength = 2_000;

const steering = [
  "\0",
  "\t",
  "\n",
  "\r",
  "\u001b",
  "\u007f",
  "\u009b",
  "\u061c",
  "\u200f",
  "\u2028",
  "\u2029",
  "\u202e",
  "\u2066",
  "\ud800",
];

/** Each text of the link takes at least one of these. */
const samples = [
  "a",
  "7",
  "",
  "8:0",
  "2026-01-01T00:00:00.000Z",
  "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  "0".repeat(64),
  "A".repeat(43),
  "A".repeat(86),
  "ruby:4.0",
  "10.200.0.7",
  "/health",
  "10.200.0.0/21",
  `${"A".repeat(43)}=`,
];

/** Answers what is wrong with a schema and with those it is made of. */
function faultsOf(schema: z.core.$ZodType, path: string): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a kind that is not here is a fault
  switch (def.type) {
    case "object":
      return Object.entries(def.shape).flatMap(([name, field]) => faultsOf(field, `${path}.${name}`));
    case "array":
      return faultsOf(def.element, `${path}[]`);
    case "record":
      return [...faultsOf(def.keyType, `${path}{key}`), ...faultsOf(def.valueType, `${path}{}`)];
    case "union":
      return def.options.flatMap((option) => faultsOf(option, path));
    case "optional":
    case "nullable":
    case "default":
      return faultsOf(def.innerType, path);
    case "pipe":
      // Of a list that is filtered as it arrives, what leaves the schema counts.
      return (def.out as z.ZodType).def.type === "array"
        ? faultsOf(def.out, path)
        : faultsOfText(schema as z.ZodType, path);
    case "string":
      return faultsOfText(schema as z.ZodType, path);
    case "number":
      return faultsOfNumber(schema as z.ZodNumber, path);
    case "boolean":
    case "literal":
    case "enum":
    case "void":
      return [];
    default:
      return [`${path}: nothing is known of a schema of kind ${def.type}`];
  }
}

/** A pipe counts as a text, and has to be one: it takes nothing else, and gives nothing else. */
function faultsOfText(schema: z.ZodType, path: string): string[] {
  const accepts = (text: string) => schema.safeParse(text).success;
  const isContent = contents.has(path);
  const accepted = samples.filter(accepts);
  if (accepted.length === 0) return [`${path}: takes none of the samples; add one that it takes`];
  const length = isContent ? maxTextLength + 1 : maxPlainLength;
  const grown = isContent
    ? ["a".repeat(length)]
    : accepted.flatMap((sample) => ["a", "0", "A", " "].map((one) => sample + one.repeat(length)));
  const isEndless = grown.some(accepts);
  const isSteering =
    !isContent &&
    accepted.some((sample) => withSteering(sample).some((text) => steers(schema.safeParse(text).data)));
  if (others.some((other) => schema.safeParse(other).success)) return [`${path}: takes more than a text`];
  return [
    ...(isEndless ? [`${path}: a text without an end`] : []),
    ...(isSteering ? [`${path}: a text that may steer a terminal`] : []),
  ];
}

const others = [7, true, null, {}, [], undefined];

/** Undefined is what a schema gives that refuses the text. */
function steers(given: unknown): boolean {
  return (
    given !== undefined &&
    (typeof given !== "string" || steering.some((character) => given.includes(character)))
  );
}

/**
 * The text with each of the characters at its start, inside and at its end, beside and in the place of what
 * is there.
 */
function withSteering(text: string): string[] {
  const places = [0, Math.floor(text.length / 2), text.length];
  return steering.flatMap((character) =>
    places.flatMap((at) =>
      [0, 1].map((replaced) => text.slice(0, at) + character + text.slice(at + replaced)),
    ),
  );
}

/** The bounds that `z.int()` has by itself are of what a number can hold: they were nobody's decision. */
function faultsOfNumber(schema: z.ZodNumber, path: string): string[] {
  const checks = (schema._zod.def.checks ?? []).map((check) => check._zod.def.check);
  return [
    ...(checks.includes("greater_than") ? [] : [`${path}: a number without a lower bound`]),
    ...(checks.includes("less_than") ? [] : [`${path}: a number without an upper bound`]),
  ];
}

function linkSchemas(): { name: string; schema: z.ZodType }[] {
  const messages = Object.entries(linkMessages).flatMap(([name, value]) =>
    value instanceof z.ZodType ? [{ name, schema: value }] : [],
  );
  const inputs = Object.entries(linkRouter._def.procedures).flatMap(([name, procedure]) =>
    (procedure._def as unknown as { inputs: z.ZodType[] }).inputs.map((schema) => ({ name, schema })),
  );
  assert.ok(messages.length > 10 && inputs.length > 5, "there is something to walk");
  const others = inputs.filter(({ schema }) => !messages.some((message) => message.schema === schema));
  return [...messages, ...others];
}

test("every text and number of the link's messages is bounded", () => {
  assert.deepEqual(
    linkSchemas().flatMap(({ name, schema }) => faultsOf(schema, name)),
    [],
  );
});

/** Returns the objects that refuse a field which they do not know. */
function strictIn(schema: z.core.$ZodType, path: string): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "array") return strictIn(def.element, `${path}[]`);
  if (def.type === "record") return strictIn(def.valueType, `${path}{}`);
  if (def.type === "union") return def.options.flatMap((option) => strictIn(option, path));
  if (def.type === "optional" || def.type === "nullable") return strictIn(def.innerType, path);
  if (def.type !== "object") return [];
  const inner = Object.entries(def.shape).flatMap(([name, field]) => strictIn(field, `${path}.${name}`));
  return def.catchall === undefined ? inner : [path, ...inner];
}

test("no message of the link refuses a field that it does not know: the other side may be newer", () => {
  assert.deepEqual(
    linkSchemas().flatMap(({ name, schema }) => strictIn(schema, name)),
    [],
  );
  assert.deepEqual(strictIn(z.object({ list: z.array(z.strictObject({})) }), "m"), ["m.list[]"]);
});

test("a field without a bound is found, wherever it stands", () => {
  const message = z.strictObject({
    free: z.string(),
    short: z.string().max(9),
    newline: z
      .string()
      .max(9)
      .regex(/^[^\u001b]*$/),
    list: z.array(z.strictObject({ count: z.int() })),
    choice: z.discriminatedUnion("kind", [z.strictObject({ kind: z.literal("a"), size: z.number().min(0) })]),
    names: z.record(z.string(), z.boolean()).optional(),
    anything: z.unknown(),
    changed: z.string().max(9).trim(),
    piped: z
      .string()
      .max(9)
      .transform((text) => text.replaceAll("\u001b", ""))
      .pipe(z.string()),
    endless: z
      .string()
      .transform((text) => text.replaceAll(/\P{Letter}/gu, "").slice(0, 9))
      .pipe(z.string()),
    coerced: z
      .unknown()
      .transform(() => "a")
      .pipe(z.string()),
    parsed: z
      .string()
      .max(9)
      .transform((text) => [text]),
  });
  assert.deepEqual(faultsOf(message, "m"), [
    "m.free: a text without an end",
    "m.free: a text that may steer a terminal",
    "m.short: a text that may steer a terminal",
    "m.newline: a text that may steer a terminal",
    "m.list[].count: a number without a lower bound",
    "m.list[].count: a number without an upper bound",
    "m.choice.size: a number without an upper bound",
    "m.names{key}: a text without an end",
    "m.names{key}: a text that may steer a terminal",
    "m.anything: nothing is known of a schema of kind unknown",
    "m.changed: a text that may steer a terminal",
    "m.piped: a text that may steer a terminal",
    "m.endless: a text without an end",
    "m.coerced: takes more than a text",
    "m.parsed: a text that may steer a terminal",
  ]);
});
