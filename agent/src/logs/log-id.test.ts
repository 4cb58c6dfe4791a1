import assert from "node:assert/strict";
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { logStartCursor } from "@tijolo/protocol";
import { decodeCursor } from "./reading/log-cursor.ts";
import { resume } from "./log-id.ts";
import type { LogItem } from "./log-line.ts";
import { ProjectLogs } from "./project-logs.ts";
import { TestDirectory } from "./writer/test-log-writer.ts";

const project = "01K0TESTPR0JECT";
const nothing = "0000.0.0.0.0.0.0";

/** An agent of the machine's boot `boot`; each log that it names is named after that. */
function logsOf(scratch: TestDirectory, boot: string): ProjectLogs {
  return new ProjectLogs({ data: scratch.path, bootId: boot, createId: () => `id${boot}` });
}

async function write(logs: ProjectLogs, word: string, count: number): Promise<void> {
  for (let index = 1; index <= count; index++)
    await logs.appendSystemLine(project, "app", `${word} ${index}`, new Date());
}

/** Returns, as words, what a reader that continues from a cursor receives. */
async function readOn(
  logs: ProjectLogs,
  after: string,
  count: number,
): Promise<{ words: string[]; cursor: string }> {
  const words: string[] = [];
  let cursor = after;
  for await (const batch of logs.follow(project, { after, lines: 0 }, AbortSignal.timeout(10_000))) {
    words.push(
      ...batch.map((item: LogItem) => (item.type === "line" ? item.text : `gap of ${item.droppedLines}`)),
    );
    cursor = batch.at(-1)?.cursor ?? cursor;
    if (words.length >= count) break;
  }
  return { words, cursor };
}

/** Leaves of the system stream's file what a power cut would leave: its first lines. */
function keepLines(scratch: TestDirectory, count: number): void {
  const file = join(scratch.path, "logs", project, "app", "system", "1-.log");
  const lines = readFileSync(file, "latin1").split("\n").slice(0, count);
  truncateSync(file, lines.join("\n").length + 1);
}

test("a reader that was told lines which a power cut has taken is told a gap, and misses no line of after it", async () => {
  using scratch = new TestDirectory();
  const before = logsOf(scratch, "1");
  await write(before, "old", 6);
  const { words, cursor } = await readOn(before, nothing, 6);
  assert.equal(words.at(-1), "old 6");
  keepLines(scratch, 2);
  const after = logsOf(scratch, "2");
  await write(after, "new", 5);
  const next = await readOn(after, cursor, 6);
  assert.deepEqual(next.words, ["gap of 4", "new 1", "new 2", "new 3", "new 4", "new 5"]);
  await write(after, "newer", 1);
  assert.deepEqual((await readOn(after, next.cursor, 1)).words, ["newer 1"], "told once");
  assert.deepEqual((await readOn(after, nothing, 8)).words.slice(0, 3), ["old 1", "old 2", "new 1"]);
});

test("a reboot that takes no line is no gap, and cursors go on over several", async () => {
  using scratch = new TestDirectory();
  await write(logsOf(scratch, "1"), "first", 3);
  const { lines } = await logsOf(scratch, "1").readLast(project, { lines: 2 });
  await write(logsOf(scratch, "2"), "second", 1);
  await write(logsOf(scratch, "3"), "third", 2);
  const { words } = await readOn(logsOf(scratch, "3"), lines[0]?.cursor ?? "", 4);
  assert.deepEqual(words, ["first 3", "second 1", "third 1", "third 2"]);
});

test("a gap of one stream is told with the first line of any, as the cursor from there on knows no more of it", async () => {
  using scratch = new TestDirectory();
  await write(logsOf(scratch, "1"), "old", 6);
  const { cursor } = await readOn(logsOf(scratch, "1"), nothing, 6);
  keepLines(scratch, 2);
  const after = logsOf(scratch, "2");
  await after.appendSystemLine(project, "install", "of another stream", new Date());
  assert.deepEqual((await readOn(after, cursor, 2)).words, ["gap of 4", "of another stream"]);
});

test("lines that two power cuts have taken are counted against the lowest that was left", async () => {
  using scratch = new TestDirectory();
  await write(logsOf(scratch, "1"), "first", 6);
  const { cursor } = await readOn(logsOf(scratch, "1"), nothing, 6);
  keepLines(scratch, 2);
  await write(logsOf(scratch, "2"), "second", 8);
  keepLines(scratch, 4);
  await write(logsOf(scratch, "3"), "third", 1);
  assert.deepEqual((await readOn(logsOf(scratch, "3"), cursor, 4)).words, [
    "gap of 4",
    "second 1",
    "second 2",
    "third 1",
  ]);
});

test("a name that is none, as a power cut leaves it, is made anew", async () => {
  using scratch = new TestDirectory();
  const directory = join(scratch.path, "logs", project);
  for (const torn of ["", "\0\0\0\0", "NOT AN ID", "id1 \n"]) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "id"), torn);
    const logs = logsOf(scratch, "1");
    await write(logs, "line", 2);
    const { nextCursor, lines } = await logs.readLast(project, { lines: 2 });
    assert.equal(decodeCursor(nextCursor).logId, "id1", JSON.stringify(torn));
    assert.deepEqual((await readOn(logs, lines[0]?.cursor ?? "", 1)).words, ["line 2"]);
  }
});

test("a name that an older agent wrote stays good for its cursors", async () => {
  using scratch = new TestDirectory();
  const logs = logsOf(scratch, "1");
  await write(logs, "line", 3);
  writeFileSync(join(scratch.path, "logs", project, "id"), "0123456789abcdef");
  assert.deepEqual((await readOn(logs, "0123456789abcdef.0.0.0.0.0.2", 1)).words, ["line 3"]);
});

test("readers that come at once are given one name", async () => {
  using scratch = new TestDirectory();
  await write(logsOf(scratch, "0"), "line", 3);
  let count = 0;
  const logs = new ProjectLogs({ data: scratch.path, bootId: "1", createId: () => `one${count++}` });
  const pages = await Promise.all(Array.from({ length: 8 }, () => logs.readLast(project, { lines: 1 })));
  assert.equal(new Set(pages.map(({ nextCursor }) => nextCursor)).size, 1);
});

test("the cursor that central begins a download with lies before the first line of any log", () => {
  const { delivered, lost } = resume({ id: "here", earlier: [] }, decodeCursor(logStartCursor));
  assert.deepEqual([new Set(delivered), new Set(lost)], [new Set([0]), new Set([0])]);
});
