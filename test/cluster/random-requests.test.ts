/** Thousands of random, nearly valid requests at every operation: each answer is one that the table allows, and none is a fault of central. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { operationNames, operations, projectStatuses, type OperationName, type Project } from "@tijolo/protocol";
import { apiRequest, type ApiRequest } from "../support/api-request.ts";
import { assertContract } from "../support/assert-contract.ts";
import { boundary, multipart, multipartType, type Part } from "../support/multipart.ts";
import { SimulatedProject } from "../support/simulated-project.ts";
import { TestCluster } from "../support/test-cluster.ts";
import { zipOf } from "../support/zip-of.ts";

const requestCount = 2_000;
const atOnce = 6;
const maxGrowthMb = 250;

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
const oddNumber = fc.oneof(fc.constantFrom(0, -1, 1, 128, 256, 300, 512, 65_535, 65_536, 1e21, 0.5), fc.integer());
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
/** A few fields, mostly good ones. */
const few = (values: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .uniqueArray(fc.constantFrom(...Object.keys(values)), { maxLength: 2 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, values[name] ?? fc.constant(null)]))));
const settings = few(settingValues);
const oddSettings = fc.oneof(
  { weight: 5, arbitrary: settings },
  {
    weight: 1,
    arbitrary: fc.tuple(settings, fc.dictionary(oddText, fc.jsonValue(), { maxKeys: 2 })).map(([good, odd]) => ({ ...good, ...odd })),
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
  body: fc.oneof({ weight: 8, arbitrary: oddSettings.map((value) => JSON.stringify(value)) }, { weight: 1, arbitrary: oddText }),
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

interface RequestPlan {
  name: OperationName;
  /** `owner`, `operator`, `reader`, `nobody`, or what stands in the place of a key. */
  caller: string;
  /** A number stands for one of the projects there are. */
  id: number | string;
  query: Record<string, string>;
  headers: Record<string, string | undefined>;
  json: { headers: Record<string, string | undefined>; body: string };
  upload: UploadPlan;
}

const requestPlan: fc.Arbitrary<RequestPlan> = fc.record({
  name: fc.constantFrom(...operationNames),
  caller: fc.oneof(
    { weight: 20, arbitrary: fc.constant("owner") },
    { weight: 2, arbitrary: fc.constantFrom("operator", "reader", "nobody") },
    { weight: 1, arbitrary: headerText },
  ),
  id: fc.oneof({ weight: 10, arbitrary: fc.nat(1000) }, { weight: 1, arbitrary: fc.oneof(oddText, fc.constant("0".repeat(26))) }),
  query: fc.oneof({ weight: 5, arbitrary: logQuery }, { weight: 1, arbitrary: fc.dictionary(oddText, oddText, { maxKeys: 2 }) }),
  headers: extraHeaders,
  json: jsonBody,
  upload: uploadPlan,
});

test(`${requestCount} random requests get answers of the table, and central's memory stays bounded`, async (t) => {
  const seed = Number(process.env.TEST_SEED ?? 20_261_121);
  t.diagnostic(`TEST_SEED=${seed}`);
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  const reader = await cluster.createKey(account.id, "read");
  const tokens: Record<string, string | undefined> = { owner: account.key, operator: cluster.operatorToken, reader, nobody: undefined };
  for (let index = 0; index < 14; index++) await (await SimulatedProject.create(account, "sim run")).is("running");
  const plans = fc.sample(requestPlan, { numRuns: requestCount, seed });
  const counts = new Map<string, number>();
  const rssBeforeMb = process.memoryUsage().rss / 2 ** 20;

  let projects: Project[] = [];
  let sent = 0;
  const send = async (plan: RequestPlan) => {
    if (sent++ % 20 === 0) ({ projects } = await account.client.listProjects());
    const id =
      typeof plan.id === "number"
        ? (projects[plan.id % Math.max(1, projects.length)]?.id ?? "0".repeat(26))
        : encodeURIComponent(plan.id.slice(0, 150));
    // An empty id is another address.
    if (id === "" || /^\.{1,2}$/.test(id)) return;
    // The owner may not delete: the operator does, while there are enough left for the others.
    const caller = plan.name === "deleteProject" && plan.caller === "owner" && projects.length > 12 ? "operator" : plan.caller;
    const request = await requestOf(plan, id, caller in tokens ? tokens[caller] : caller);
    const answer = await apiRequest(cluster.centralUrl, request).catch((cause: unknown) => {
      throw new Error(`no answer to ${JSON.stringify(plan)}`, { cause });
    });
    try {
      assert.notEqual(answer.code, "internal_error");
      assertContract(plan.name, answer);
    } catch (cause) {
      throw new Error(`${answer.status} ${answer.text.slice(0, 300)} to ${JSON.stringify(plan)}`, { cause });
    }
    const key = `${plan.name} ${answer.code ?? answer.status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };

  const queue = [...plans];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let plan = queue.pop(); plan !== undefined; plan = queue.pop()) await send(plan);
    }),
  );
  const growthMb = process.memoryUsage().rss / 2 ** 20 - rssBeforeMb;
  t.diagnostic(`memory grew by ${Math.round(growthMb)} MB`);
  for (const [key, count] of counts) t.diagnostic(`${key}: ${count}`);
  assert.ok(growthMb < maxGrowthMb, `${growthMb} MB`);
  for (const name of operationNames) {
    assert.ok(
      [...counts.keys()].some((key) => new RegExp(`^${name} 2`).test(key)),
      `${name} never succeeded: the requests are not nearly valid`,
    );
  }
  ({ projects } = await account.client.listProjects());
  assert.ok(projects.every(({ status }) => projectStatuses.includes(status)));
  const alive = await SimulatedProject.create(await cluster.createAccount(), "sim run");
  await alive.is("running", 30_000);
});

async function requestOf(plan: RequestPlan, id: string, token: string | undefined): Promise<ApiRequest> {
  const { method, path, body, answer } = operations[plan.name];
  const query = new URLSearchParams(answer.kind === "events" ? { ...plan.query, follow: "false" } : {}).toString();
  const target = `/api${path.replace("{id}", id)}${query === "" ? "" : `?${query}`}`;
  const headers = definedOnly(plan.headers);
  switch (body.kind) {
    case "none":
      return { method, path: target, token, headers };
    case "json":
      return { method, path: target, token, headers: { ...headers, ...definedOnly(plan.json.headers) }, body: plan.json.body };
    case "upload":
      return { method, path: target, token, headers: { ...headers, ...plan.upload.type }, body: await uploadOf(plan.upload) };
  }
}

async function uploadOf({ svcJson: text, fields, fieldName, fileName, damage }: UploadPlan): Promise<Buffer<ArrayBuffer>> {
  const zip = await zipOf({ "index.js": "", ...(text === null ? {} : { "svc.json": text }) });
  const content = damage === "cut zip" ? zip.subarray(0, zip.length / 2) : damage === "no zip" ? Buffer.from("no zip") : zip;
  const file: Part = { name: fieldName, fileName, content };
  const texts = Object.entries(fields).map(([name, value]): Part => ({ name, content: String(value) }));
  const whole = multipart([...texts, file, ...(damage === "two files" ? [file] : [])]);
  return damage === "cut body" ? whole.subarray(0, whole.length - 40) : whole;
}

function definedOnly(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
