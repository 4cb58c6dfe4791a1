/** Tests a log read back, page by page, as a client does it (api.md: "Logs"). */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas" });
});
after(() => cluster[Symbol.asyncDispose]());

interface Page {
  lines: { text: string }[];
  nextCursor: string | null;
  previousCursor: string | null;
}

const ask = (id: string, query: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  apiRequest(cluster.centralUrl, {
    method: "GET",
    path: `/api/projects/${id}/logs?${query}`,
    token: account.key,
    headers,
  });

async function read(id: string, query: string): Promise<Page> {
  const answer = await ask(id, query, { accept: "application/json" });
  assert.equal(answer.status, 200, answer.text);
  assertContract("streamLogs", answer);
  return answer.json as Page;
}

/** Reads from `first` back to the oldest line, and returns the texts in the order of the log. */
async function walkBack(id: string, query: string, first: Page): Promise<string[]> {
  const pages = [first];
  for (let page = first; page.previousCursor !== null; pages.unshift(page)) {
    page = await read(id, `${query}&before=${encodeURIComponent(page.previousCursor)}`);
    assert.ok(page.lines.length > 0);
  }
  return pages.flatMap(textsOf);
}

const textsOf = ({ lines }: Page) => lines.map(({ text }) => text);
const linesTo = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

test("a log is read back by previousCursor, each line once, while lines are written", async () => {
  const project = await SimulatedProject.create(account, "sim log 120; gate; log 1000; run");
  const { id } = project;
  await until(async () => textsOf(await read(id, "lines=1")).includes("line 120"));
  const query = "section=app&stream=stdout";
  const first = await read(id, `${query}&lines=25`);
  cluster.host.machine.openGate(id);
  assert.deepEqual(await walkBack(id, `${query}&lines=25`, first), linesTo(120));
  await until(async () => textsOf(await read(id, "lines=1")).includes("line 1000"));
  const all = [...linesTo(120), ...linesTo(1000)];
  assert.deepEqual(await walkBack(id, `${query}&lines=200`, await read(id, `${query}&lines=200`)), all);
  const found = all.filter((text) => text.includes("line 99"));
  assert.deepEqual(
    await walkBack(id, "section=app&q=line%2099&lines=5", await read(id, "section=app&q=line%2099&lines=5")),
    found,
  );

  const newest = await read(id, "follow=false&lines=3");
  const same = await read(id, `follow=false&cursor=${newest.previousCursor}`);
  assert.deepEqual(same.lines, newest.lines, "a page lies between its two cursors");
  assert.deepEqual([same.nextCursor, same.previousCursor], [newest.nextCursor, newest.previousCursor]);
});

test("before is refused where it has no meaning, in both languages", async () => {
  const { id } = await SimulatedProject.create(account, "sim print up; run");
  await until(async () => textsOf(await read(id, "")).includes("up"));
  const { nextCursor } = await read(id, "lines=1");
  assert.ok(textsOf(await read(id, `before=${nextCursor}`)).includes("up"));
  const onlyOfPages = [/before \(só com follow=false ou/, /before \(only with follow=false or/] as const;
  const notWithCursor = [
    /before \(não vem junto com cursor nem/,
    /before \(must not come together with cursor or/,
  ] as const;
  const refused: [
    query: string,
    headers: Record<string, string>,
    texts: readonly [pt: RegExp, en: RegExp],
  ][] = [
    [`before=${nextCursor}`, {}, onlyOfPages],
    [`before=${nextCursor}&follow=true`, {}, onlyOfPages],
    [`before=${nextCursor}&follow=false&cursor=${nextCursor}`, {}, notWithCursor],
    [`before=${nextCursor}&follow=false`, { "last-event-id": nextCursor ?? "" }, notWithCursor],
    ["before=nonsense&follow=false", {}, [/./, /./]],
    [`before=${"x".repeat(501)}&follow=false`, {}, [/before \(no máximo 500/, /before \(at most 500/]],
  ];
  for (const [query, headers, texts] of refused) {
    for (const [index, language] of ["pt", "en"].entries()) {
      const answer = await ask(id, query, { ...headers, "accept-language": language });
      assert.deepEqual([query, answer.status, answer.code], [query, 400, "invalid_request"]);
      const { message, field } = answer.json as { message: string; field: string };
      assert.equal(field, "before", query);
      assert.match(message, texts[index] ?? /never/);
      if (language === "pt") assertContract("streamLogs", answer);
    }
  }
});

test("a header Last-Event-ID that is no cursor is named as what it is, and an empty one is none", async () => {
  const { id } = await SimulatedProject.create(account, "sim print up; run");
  await until(async () => textsOf(await read(id, "")).includes("up"));
  for (const query of ["", "follow=false"]) {
    for (const value of ["garbage", "x".repeat(501)]) {
      const answer = await ask(id, query, { "last-event-id": value });
      assert.deepEqual(
        [value, answer.status, (answer.json as { field?: string }).field],
        [value, 400, "Last-Event-ID"],
      );
      assert.match((answer.json as { message: string }).message, /Campo: Last-Event-ID/);
      assertContract("streamLogs", answer);
    }
  }
  const byQuery = await ask(id, "follow=false&cursor=garbage", { "last-event-id": "" });
  assert.deepEqual([byQuery.status, (byQuery.json as { field?: string }).field], [400, "cursor"]);
  const unnamed = await ask(id, "follow=false&lines=nonsense", { "last-event-id": "garbage" });
  assert.equal((unnamed.json as { field?: string }).field, "lines");
  assert.equal((await ask(id, "follow=false", { "last-event-id": "" })).status, 200);
});

test("a stream up to a moment ends after the last line before it", async () => {
  const { id } = await SimulatedProject.create(account, "sim print up; run");
  await until(async () => textsOf(await read(id, "")).includes("up"));
  const stream = await ask(id, `until=${new Date().toISOString()}&section=app&stream=stdout`);
  assert.equal(stream.status, 200);
  assert.match(stream.text, /"text":"up"\}\n\n$/);
});
