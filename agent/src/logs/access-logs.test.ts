import assert from "node:assert/strict";
import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { AccessLogs } from "./access-logs.ts";
import { TestDirectory } from "./writer/test-log-writer.ts";

const projectId = "01K0TESTPR0JECT";
const dayMs = 24 * 60 * 60_000;
const startMs = Date.parse("2026-01-01T00:00:00.000Z");

function accessOf(data: string) {
  const logs = new AccessLogs({ data, bootId: "a boot", createId: () => "00000000" });
  let batches = 0;
  const append = (
    texts: readonly string[],
    { droppedLines = 0, atMs = startMs, batch = `${++batches}` } = {},
  ) => {
    const lines = texts.map((text) => ({ at: new Date(atMs).toISOString(), text }));
    return logs.append({ batch, sites: [{ projectId, lines, droppedLines }] });
  };
  const read = async () =>
    (await logs.reader.readLast(projectId, { lines: 1_000 })).lines.map(({ text }) => text);
  const stream = join(data, "logs", projectId, "access", "app", "stdout");
  return { logs, append, read, stream };
}

test("visits are read as a log; a batch that comes again is written once; lost ones are a gap", async () => {
  using scratch = new TestDirectory();
  mkdirSync(join(scratch.path, "logs", projectId), { recursive: true });
  const { logs, append, read } = accessOf(scratch.path);
  await append(["one", "two"], { batch: "b" });
  await append(["one", "two"], { batch: "b" });
  const after = (await logs.reader.readLast(projectId, { lines: 1 })).nextCursor;
  await append(["six"], { droppedLines: 3 });
  assert.deepEqual(await read(), ["one", "two", "six"]);
  const items = [];
  const query = { after, lines: 10, endsWhenRead: true };
  for await (const batch of logs.reader.follow(projectId, query, new AbortController().signal))
    items.push(...batch);
  assert.deepEqual(
    items.map((item) => (item.type === "line" ? item.text : item.droppedLines)),
    [3, "six"],
  );
});

test("a project that is gone does not come back by a visit", async () => {
  using scratch = new TestDirectory();
  mkdirSync(join(scratch.path, "logs"));
  await accessOf(scratch.path).append(["late"]);
  assert.equal(existsSync(join(scratch.path, "logs", projectId)), false);
});

test("a log of visits has an end of size, and of age", async () => {
  using scratch = new TestDirectory();
  mkdirSync(join(scratch.path, "logs", projectId), { recursive: true });
  const { logs, append, read, stream } = accessOf(scratch.path);
  const line = "x".repeat(2_000);
  for (let index = 0; index < 60; index++) await append(Array(125).fill(line));
  const files = await readdir(stream);
  assert.ok(files.length <= 40, `${files.length} files`);
  await logs.collect([projectId], startMs + 2 * dayMs);
  for (const name of await readdir(stream)) utimesSync(join(stream, name), startMs / 1_000, startMs / 1_000);
  await logs.collect([projectId], startMs + 29 * dayMs);
  assert.notDeepEqual(await read(), []);
  await logs.collect([projectId], startMs + 31 * dayMs);
  assert.deepEqual(await read(), []);
  await append(["new"], { atMs: startMs + 31 * dayMs });
  assert.deepEqual(await read(), ["new"]);
  assert.deepEqual(await readdir(stream), ["7501-.log"], "numbers are not used twice");
});
