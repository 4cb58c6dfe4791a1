/**
 * Generates random, nearly valid requests at every operation, without the ids and secrets of the cluster that
 * they go to.
 */

import fc from "fast-check";
import {
  isResumable,
  operationNames,
  operations,
  type Operation,
  type OperationName,
} from "@tijolo/protocol";
import { sessionOperations } from "../../../protocol/src/contract/operations/session.ts";
import type { ApiRequest } from "./api-request.ts";
import { SchemaValues, type FuzzSchema } from "../fuzz/schema-value.ts";
import { SeededRandom } from "../fuzz/seeded-random.ts";
import { boundary, multipart, multipartType, type Part } from "./multipart.ts";
import type { SchemaValidator } from "./schema-validator.ts";
import { zipOf } from "../archives/zip-of.ts";

const oddText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "null",
    "__proto__",
    "constructor",
    "../x",
    "$(touch P)",
    "`id`",
    "a;b|c&d",
    "%s%n",
    "{{x}}",
    "--help",
    "\u0000",
    "a\nb",
    "é\u0301",
    "💥",
    "x".repeat(300),
  ),
  fc.string({ maxLength: 60 }),
);
const oddNumber = fc.oneof(
  fc.constantFrom(0, -1, 1, 128, 256, 300, 512, 65_535, 65_536, 1e21, 0.5),
  fc.integer(),
);
const mostly = (good: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: odd });
const settingValues: Record<string, fc.Arbitrary<unknown>> = {
  name: mostly(fc.constant("bot"), oddText),
  description: mostly(fc.constant("text"), oddText),
  type: fc.constantFrom("bot", "bot", "site", "worker"),
  language: fc.constantFrom("node", "node", "python", "static", "elixir", "go", "cobol", "toString"),
  version: fc.constantFrom("24", "22", "3.13", "", "1"),
  entry: mostly(fc.constantFrom("index.js", "a/b.py"), oddText),
  command: mostly(fc.constantFrom("sim run", "sim exit 0", "node index.js", "npm start", ""), oddText),
  installCommand: mostly(fc.constantFrom(null, "", "sim exit 0", "sim exit 1"), oddText),
  root: mostly(fc.constantFrom("", "public"), oddText),
  memoryMb: mostly(fc.constantFrom(256, 64, 512), oddNumber),
  subdomain: mostly(fc.constantFrom("shop-1", "shop-2", "www", "-a-"), oddText),
  port: mostly(fc.constantFrom(8080), oddNumber),
  systemPackages: mostly(fc.constantFrom(["git"], [], ["bash"]), fc.array(oddText, { maxLength: 3 })),
};
/** Generates a few fields, mostly good ones. */
const few = (values: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .uniqueArray(fc.constantFrom(...Object.keys(values)), { maxLength: 2 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, values[name] ?? fc.constant(null)]))),
    );
const settings = few(settingValues);
const oddSettings = fc.oneof(
  { weight: 5, arbitrary: settings },
  {
    weight: 1,
    arbitrary: fc
      .tuple(settings, fc.dictionary(oddText, fc.jsonValue(), { maxKeys: 2 }))
      .map(([good, odd]) => ({ ...good, ...odd })),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const svcJson = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constant({ language: "node", command: "sim run" }), settings)
      .map(([base, over]) => JSON.stringify({ ...base, ...over })),
  },
  { weight: 2, arbitrary: oddSettings.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: oddText },
);

const jsonBody = fc.record({
  headers: fc.oneof(
    { weight: 8, arbitrary: fc.constant({ "content-type": "application/json" }) },
    { weight: 1, arbitrary: fc.constantFrom({}, { "content-type": "text/plain" }, { "content-type": ";" }) },
  ),
  body: fc.oneof(
    { weight: 8, arbitrary: oddSettings.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: oddText },
  ),
});

interface UploadPlan {
  svcJson: string | null;
  fields: Record<string, unknown>;
  fieldName: string;
  fileName: string;
  damage: "none" | "cut zip" | "no zip" | "cut body" | "two files";
  type: Record<string, string>;
}

const uploadPlan: fc.Arbitrary<UploadPlan> = fc.record({
  svcJson: fc.option(svcJson, { nil: null, freq: 5 }),
  fields: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: settings },
    { weight: 1, arbitrary: fc.dictionary(oddText, oddText, { maxKeys: 3 }) },
  ),
  fieldName: fc.oneof({ weight: 9, arbitrary: fc.constant("file") }, { weight: 1, arbitrary: oddText }),
  fileName: fc.oneof(fc.constant("bot.zip"), oddText),
  damage: fc.oneof(
    { weight: 8, arbitrary: fc.constant("none" as const) },
    { weight: 2, arbitrary: fc.constantFrom("cut zip", "no zip", "cut body", "two files") },
  ),
  type: fc.oneof(
    { weight: 12, arbitrary: fc.constant(multipartType) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>[]>(
        { "content-type": "multipart/form-data" },
        { "content-type": `multipart/form-data; boundary="${boundary}"` },
        { "content-type": "multipart/form-data; boundary=" },
        { "content-type": "application/json" },
      ),
    },
  ),
});

const headerText = fc.string({ unit: fc.constantFrom(..."abc,;=\"'*/ %0".split("")), maxLength: 40 });
const extraHeaders = fc.record(
  {
    "accept-language": headerText,
    "last-event-id": headerText,
    "idempotency-key": headerText,
    accept: fc.constantFrom("*/*", "text/event-stream", "application/json"),
  },
  { requiredKeys: [] },
);
const logQuery = few({
  lines: fc.constantFrom("0", "10", "1000", "1001", "x"),
  section: fc.constantFrom("all", "app", "install", "x"),
  q: oddText,
  since: fc.constantFrom("2026-01-01T00:00:00Z", "x"),
  stream: fc.constantFrom("stdout", "system", "x"),
  cursor: oddText,
}) as fc.Arbitrary<Record<string, string>>;

export interface RequestPlan {
  name: OperationName;
  /** Caller: `owner`, `operator`, `reader`, `nobody`, or a text in the place of a key. */
  caller: string;
  /** Id in the path; a number stands for one of the existing things. */
  id: number | string;
  /** Seed of the values that the description's schemas allow. */
  seed: number;
  query: Record<string, string>;
  headers: Record<string, string | undefined>;
  json: { headers: Record<string, string | undefined>; body: string };
  upload: UploadPlan;
}

export const requestPlan: fc.Arbitrary<RequestPlan> = fc.record({
  // Of a person's operations fewer: each hashes a password.
  name: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.constantFrom(...operationNames.filter((name) => !(name in sessionOperations))),
    },
    { weight: 1, arbitrary: fc.constantFrom(...operationNames.filter((name) => name in sessionOperations)) },
  ),
  caller: fc.oneof(
    { weight: 20, arbitrary: fc.constant("owner") },
    { weight: 2, arbitrary: fc.constantFrom("operator", "reader", "nobody") },
    { weight: 1, arbitrary: headerText },
  ),
  id: fc.oneof(
    { weight: 10, arbitrary: fc.nat(1000) },
    { weight: 1, arbitrary: fc.oneof(oddText, fc.constant("0".repeat(26))) },
  ),
  seed: fc.nat(),
  query: fc.oneof(
    { weight: 5, arbitrary: logQuery },
    { weight: 1, arbitrary: fc.dictionary(oddText, oddText, { maxKeys: 2 }) },
  ),
  headers: extraHeaders,
  json: jsonBody,
  upload: uploadPlan,
});

/** Facts that a plan does not know: where the request goes, and with which credentials and values. */
export interface RequestFacts {
  described: SchemaValidator;
  token: string | undefined;
  cookie: string | undefined;
  /** Value in the place of each parameter of the path. */
  id: string;
  /** Fields of a body that must be right for the request to succeed. */
  known: Record<string, unknown>;
}

export async function requestOf(
  plan: RequestPlan,
  { described, token, cookie, id, known }: RequestFacts,
): Promise<ApiRequest> {
  const operation: Operation = operations[plan.name];
  const { method, path, body } = operation;
  const random = new SeededRandom(plan.seed);
  const values = new SchemaValues(
    described.find(["components", "schemas"]) as Record<string, FuzzSchema>,
    random,
  );
  const place = ["paths", path, method.toLowerCase()];
  const query = isResumable(operation)
    ? { ...plan.query, follow: "false" }
    : queryOf(described, place, { values, random });
  const search = new URLSearchParams(query).toString();
  const target = `/api${path
    .replace("{version}", "4.0")
    .replace("{number}", "1")
    .replace("{status}", "503")
    .replace(/\{\w+\}/, id)}${search === "" ? "" : `?${search}`}`;
  const headers = {
    ...definedOnly(plan.headers),
    ...(cookie === undefined ? {} : { cookie, "sec-fetch-site": "same-origin" }),
  };
  const request = { method, path: target, token };
  switch (body.kind) {
    case "none":
      return { ...request, headers };
    case "json": {
      const sent = { ...headers, ...definedOnly(plan.json.headers) };
      if (plan.name === "updateProject") return { ...request, headers: sent, body: plan.json.body };
      const schema = described.find([
        ...place,
        "requestBody",
        "content",
        "application/json",
        "schema",
      ]) as FuzzSchema;
      const value = values.valueOf(schema);
      const isKnown =
        typeof value === "object" && value !== null && !Array.isArray(value) && random.chance(0.8);
      return { ...request, headers: sent, body: JSON.stringify(isKnown ? { ...value, ...known } : value) };
    }
    case "upload":
      return { ...request, headers: { ...headers, ...plan.upload.type }, body: await uploadOf(plan.upload) };
  }
}

function queryOf(
  described: SchemaValidator,
  place: readonly string[],
  { values, random }: { values: SchemaValues; random: SeededRandom },
): Record<string, string> {
  const parameters = (described.find([...place, "parameters"]) ?? []) as {
    name: string;
    in?: string;
    schema: FuzzSchema;
  }[];
  return Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === "query" && random.chance(0.4))
      .map(({ name, schema }) => [name, JSON.stringify(values.valueOf(schema)).replaceAll('"', "")]),
  );
}

async function uploadOf({
  svcJson: text,
  fields,
  fieldName,
  fileName,
  damage,
}: UploadPlan): Promise<Buffer<ArrayBuffer>> {
  const zip = await zipOf({ "index.js": "", ...(text === null ? {} : { "svc.json": text }) });
  const content =
    damage === "cut zip"
      ? zip.subarray(0, zip.length / 2)
      : damage === "no zip"
        ? Buffer.from("no zip")
        : zip;
  const file: Part = { name: fieldName, fileName, content };
  const texts = Object.entries(fields).map(([name, value]): Part => ({ name, content: String(value) }));
  const whole = multipart([...texts, file, ...(damage === "two files" ? [file] : [])]);
  return damage === "cut body" ? whole.subarray(0, whole.length - 40) : whole;
}

function definedOnly(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
