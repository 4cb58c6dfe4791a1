import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { exec } from "../host/exec.ts";
import { logDirectory, logWriterArgv } from "./writer/log-files.ts";
import { InvalidCursorError } from "./reading/log-cursor.ts";
import type { LogItem } from "./log-line.ts";
import { ProjectLogs } from "./project-logs.ts";
import { hostTools, TestDirectory, until } from "./writer/test-log-writer.ts";

const project = "01K0TESTPR0JECT";

function makeLogs(scratch: TestDirectory): ProjectLogs {
  return new ProjectLogs({
    data: scratch.path,
    bootId: "a boot",
    createId: () => Math.random().toString(36).slice(2, 10).padEnd(8, "0"),
  });
}

function put(scratch: TestDirectory, path: string, lines: string[]): void {
  const file = join(scratch.path, "logs", project, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, lines.map((line) => `2026-01-01T${line}\n`).join(""));
}

const texts = (lines: { text: string }[]) => lines.map((line) => line.text);

async function take(items: AsyncIterable<LogItem[]>, count: number): Promise<LogItem[]> {
  const taken: LogItem[] = [];
  for await (const batch of items) {
    taken.push(...batch);
    if (taken.length >= count) break;
  }
  return taken;
}

test("a page holds the newest lines of all streams in the order of time", async () => {
  using scratch = new TestDirectory();
  put(scratch, "install/stdout/1-.log", ["10:00:00.000Z installing", "10:00:02.000Z installed"]);
  put(scratch, "install/system/1-.log", ["09:59:59.999Z begin"]);
  put(scratch, "app/stdout/5-6.log", ["10:00:03.000Z out 5", "10:00:05.000Z out 6"]);
  put(scratch, "app/stdout/7-.log", ["10:00:05.000Z out 7", "10:00:07.000Z out 8"]);
  put(scratch, "app/stderr/1-.log", ["10:00:04.000Z err 1", "10:00:05.000Z err 2", "10:00:09.000Z err 3"]);
  const logs = makeLogs(scratch);
  const all = [
    "begin",
    "installing",
    "installed",
    "out 5",
    "err 1",
    "out 6",
    "out 7",
    "err 2",
    "out 8",
    "err 3",
  ];
  const page = await logs.readLast(project, { lines: 100 });
  assert.deepEqual(texts(page.lines), all);
  assert.deepEqual(page.lines[3]?.at, new Date("2026-01-01T10:00:03.000Z"));
  for (let lines = 0; lines <= all.length; lines++) {
    assert.deepEqual(texts((await logs.readLast(project, { lines })).lines), all.slice(all.length - lines));
  }
  assert.deepEqual(
    texts((await logs.readLast(project, { lines: 9, section: "install" })).lines),
    all.slice(0, 3),
  );
  assert.deepEqual(texts((await logs.readLast(project, { lines: 2, stream: "stdout" })).lines), [
    "out 7",
    "out 8",
  ]);
  assert.deepEqual(texts((await logs.readLast(project, { lines: 2, q: "OUT" })).lines), ["out 7", "out 8"]);
  const since = new Date("2026-01-01T10:00:04.000Z");
  const until = new Date("2026-01-01T10:00:07.000Z");
  assert.deepEqual(texts((await logs.readLast(project, { lines: 9, since, until })).lines), [
    "err 1",
    "out 6",
    "out 7",
    "err 2",
  ]);
});

test("each cursor of a page continues exactly after its line", async () => {
  using scratch = new TestDirectory();
  put(scratch, "app/stdout/5-6.log", ["10:00:03.000Z out 5", "10:00:05.000Z out 6"]);
  put(scratch, "app/stdout/7-.log", ["10:00:05.000Z out 7", "10:00:07.000Z out 8"]);
  put(scratch, "app/stderr/1-.log", ["10:00:04.000Z err 1", "10:00:05.000Z err 2", "10:00:09.000Z err 3"]);
  const { lines, nextCursor } = await makeLogs(scratch).readLast(project, { lines: 5 });
  assert.equal(lines.length, 5);
  for (const [index, line] of lines.entries()) {
    const left = lines.slice(index + 1);
    if (left.length === 0) continue;
    const stop = new AbortController();
    const items = await take(
      makeLogs(scratch).follow(project, { after: line.cursor, lines: 0 }, stop.signal),
      left.length,
    );
    assert.deepEqual(
      items,
      left.map((next) => ({ type: "line", ...next })),
    );
  }
  put(scratch, "app/stderr/4-.log", ["10:00:10.000Z err 4"]);
  const items = await take(
    makeLogs(scratch).follow(project, { after: nextCursor, lines: 0 }, new AbortController().signal),
    1,
  );
  assert.deepEqual(
    items.map((item) => (item.type === "line" ? item.text : item)),
    ["err 4"],
  );
});

test("a clock that jumps never changes the order within a stream", async () => {
  using scratch = new TestDirectory();
  put(scratch, "app/stdout/1-.log", [
    "10:00:00.000Z a",
    "11:00:00.000Z b",
    "10:00:01.000Z c",
    "10:00:02.000Z d",
  ]);
  put(scratch, "app/stderr/1-.log", ["10:00:01.500Z x"]);
  const page = await makeLogs(scratch).readLast(project, { lines: 10, stream: "stdout" });
  assert.deepEqual(texts(page.lines), ["a", "b", "c", "d"]);
  const both = texts((await makeLogs(scratch).readLast(project, { lines: 10 })).lines);
  assert.deepEqual(
    both.filter((text) => text !== "x"),
    ["a", "b", "c", "d"],
  );
  const since = new Date("2026-01-01T10:30:00.000Z");
  assert.deepEqual(texts((await makeLogs(scratch).readLast(project, { lines: 10, since })).lines), ["b"]);
});

test("bytes that are not text reach JSON, and a torn line keeps its place", async () => {
  using scratch = new TestDirectory();
  const directory = join(logDirectory(scratch.path, project, "app"), "stdout");
  const binary = Buffer.from([
    0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xff, 0xc3, 0x0d, 0x0a, 0xe2, 0x82, 0xac, 0x0a,
  ]);
  const noise = Buffer.from(
    Array.from({ length: 300_000 }, (_, index) => (index * 7919 + (index >> 3)) & 0xff),
  );
  await exec(logWriterArgv(hostTools, directory), { input: Buffer.concat([binary, noise]) });
  const { lines } = await makeLogs(scratch).readLast(project, { lines: 1_000_000 });
  assert.deepEqual(texts(lines.slice(0, 2)), ["\0\x1b[31m\ufffd\ufffd\r", "€"]);
  assert.equal(lines.length, 2 + noise.filter((byte) => byte === 10).length + (noise.at(-1) === 10 ? 0 : 1));
  assert.deepEqual(JSON.parse(JSON.stringify(texts(lines))), texts(lines));
  put(scratch, "app/stderr/1-.log", ["10:00:00.000Z a", "torn", "10:00:01.000Z b"]);
  const torn = (await makeLogs(scratch).readLast(project, { lines: 3, stream: "stderr" })).lines;
  assert.deepEqual(texts(torn), ["a", "2026-01-01Ttorn", "b"]);
});

test("a line names the version that wrote it, also after a restart of the agent", async () => {
  using scratch = new TestDirectory();
  const stdout = join(logDirectory(scratch.path, project, "app"), "stdout");
  for (const version of [3, 3, 4, 3]) {
    const logs = makeLogs(scratch);
    await logs.mark(project, "app", { version, at: new Date() });
    await logs.appendSystemLine(project, "app", `starts ${version}`, new Date());
    await exec(logWriterArgv(hostTools, stdout), { input: `by ${version}\nagain by ${version}\n` });
  }
  const { lines } = await makeLogs(scratch).readLast(project, { lines: 100 });
  assert.equal(lines.length, 12);
  for (const line of lines) assert.match(line.text, new RegExp(` ${line.version}$`));
  assert.deepEqual(
    lines.filter((line) => line.stream === "system").map((line) => line.version),
    [3, 3, 4, 3],
  );
});

test("system lines are bounded, in order, and numbered on", async () => {
  using scratch = new TestDirectory();
  const logs = makeLogs(scratch);
  const at = new Date("2026-01-01T00:00:00.000Z");
  const words = "x".repeat(500);
  await Promise.all(
    Array.from({ length: 2_000 }, (_, index) =>
      logs.appendSystemLine(project, "install", `${index} ${words}`, at),
    ),
  );
  await logs.appendSystemLine(project, "install", "two\nlines", at);
  const { lines } = await logs.readLast(project, { lines: 10_000 });
  assert.ok(lines.length < 1_000, `old ones are gone: ${lines.length}`);
  const numbers = lines.slice(0, -2).map((line) => Number.parseInt(line.text));
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => 2_000 - numbers.length + index),
  );
  assert.deepEqual(texts(lines.slice(-2)), ["two", "lines"]);
  const [gap] = await take(
    logs.follow(project, { after: `${"0".repeat(4)}.0.0.0.0.0.0`, lines: 0 }, new AbortController().signal),
    1,
  );
  assert.deepEqual(gap?.type === "gap" && gap.droppedLines, numbers[0]);
});

test("a cursor that is none is refused, one of another log has seen nothing", async () => {
  using scratch = new TestDirectory();
  using elsewhere = new TestDirectory();
  for (const where of [scratch, elsewhere])
    put(where, "app/stdout/1-.log", ["10:00:00.000Z a", "10:00:01.000Z b"]);
  const logs = makeLogs(scratch);
  const { signal } = new AbortController();
  for (const after of [
    "",
    "x",
    "abcd.1.2.3",
    "abcd.1.2.3.4.5.-6",
    `abcd.1.2.3.4.5.${"9".repeat(40)}`,
    "../..",
    "abcd.1.2.3.4.5.6\n",
  ]) {
    await assert.rejects(logs.follow(project, { after, lines: 0 }, signal).next(), InvalidCursorError, after);
  }
  const { nextCursor } = await makeLogs(elsewhere).readLast(project, { lines: 1 });
  const items = await take(logs.follow(project, { after: nextCursor, lines: 0 }, signal), 2);
  assert.deepEqual(
    items.map((item) => item.type === "line" && item.text),
    ["a", "b"],
  );
});

test("a project without a log has no lines, is followed as soon as it has one, and is removed whole", async () => {
  using scratch = new TestDirectory();
  const logs = makeLogs(scratch);
  assert.deepEqual((await logs.readLast(project, { lines: 10 })).lines, []);
  const items = logs.follow(project, { after: null, lines: 10 }, new AbortController().signal);
  const first = take(items, 1);
  await logs.appendSystemLine(project, "app", "hello", new Date());
  const [line] = await first;
  assert.equal(line?.type === "line" && line.text, "hello");
  await logs.remove(project);
  assert.deepEqual((await logs.readLast(project, { lines: 10 })).lines, []);
  await logs.remove(project);
});

test("a follow that is aborted ends, and frees its files also when nobody is asking", async () => {
  using scratch = new TestDirectory();
  const logs = makeLogs(scratch);
  await logs.mark(project, "app", { version: 1, at: new Date() });
  for (let index = 0; index < 10; index++)
    await logs.appendSystemLine(project, "app", `${index}`, new Date());
  const stop = new AbortController();
  using _ = { [Symbol.dispose]: () => stop.abort() };
  const idle = logs.follow(project, { after: "0000.0.0.0.0.0.0", lines: 0 }, stop.signal);
  await idle.next();
  const waiting = logs.follow(project, { after: null, lines: 0 }, stop.signal);
  const pending = waiting.next();
  const hasOpenFiles = () => openFiles().some((path) => path.startsWith(scratch.path));
  await until(hasOpenFiles);
  stop.abort();
  assert.deepEqual(await pending, { done: true, value: undefined });
  await until(() => !hasOpenFiles());
  assert.deepEqual(await idle.next(), { done: true, value: undefined });
});

test("a follow ends after the last line before `until`, once that has passed, also of a project without a log", async () => {
  using scratch = new TestDirectory();
  const logs = makeLogs(scratch);
  const textsUntil = async (until: Date, after: string | null = null) => {
    const items = await Array.fromAsync(
      logs.follow(project, { after, lines: 2, until }, AbortSignal.timeout(60_000)),
    );
    return items.flat().map((item) => (item.type === "line" ? item.text : "a gap"));
  };
  const past = new Date("2026-01-01T10:00:02.000Z");
  assert.deepEqual(await textsUntil(past), []);
  put(scratch, "app/stdout/1-.log", [
    "10:00:00.000Z a",
    "10:00:00.000Z b",
    "10:00:01.000Z c",
    "10:00:02.000Z d",
  ]);
  assert.deepEqual(await textsUntil(past), ["b", "c"]);
  assert.deepEqual(await textsUntil(past, "0000.0.0.0.0.0.0"), ["a", "b", "c"]);
  const soon = new Date(Date.now() + 1_000);
  const following = textsUntil(soon, "0000.0.0.0.0.0.0");
  await logs.appendSystemLine(project, "app", "now", new Date(soon.getTime() - 1));
  await logs.appendSystemLine(project, "app", "too late", soon);
  assert.deepEqual(await following, ["a", "b", "c", "d", "now"]);
  assert.ok(Date.now() > soon.getTime(), "not before its time");
});

/** Returns the paths of this process's open files. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return []; // closed meanwhile
    }
  });
}
