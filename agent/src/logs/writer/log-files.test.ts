import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { listStreamFiles } from "../stream-files.ts";
import { hostTools, numbered, TestDirectory, TestLogWriter, until } from "./test-log-writer.ts";
import { exec } from "../../host/exec.ts";
import { defaultLogLimits, logDirectory, logWriterArgv } from "./log-files.ts";

const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;

/** Returns every kept line with its number, checked against the names of the files. */
async function keptLines(directory: string): Promise<Map<number, string>> {
  const kept = new Map<number, string>();
  for (const { path, first, last } of await listStreamFiles(directory)) {
    const text = readFileSync(path, "latin1");
    const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
    if (last !== null)
      assert.equal(first + lines.length - 1, last, `${path} holds as many lines as its name says`);
    for (const [index, line] of lines.entries()) {
      assert.ok(!kept.has(first + index), `line ${first + index} is there once`);
      kept.set(first + index, line.replace(stamp, ""));
    }
  }
  return kept;
}

test("the writer is correct under strict and warnings", async () => {
  const [perl = "", script = ""] = logWriterArgv(hostTools, "unused");
  const { stderr } = await exec([perl, "-Mstrict", "-Mwarnings", "-c", script]);
  assert.match(stderr, /syntax OK\s*$/);
});

test("lines get a time in UTC and go on where the last writer stopped", async () => {
  using scratch = new TestDirectory();
  const directory = join(scratch.path, "new", "stdout");
  const before = Date.now();
  await exec(logWriterArgv(hostTools, directory), { input: "one\n\nthree, without its newline" });
  await exec(logWriterArgv(hostTools, directory), { input: Buffer.from([0x61, 0, 0xff, 0x1b, 0x0a]) });
  assert.deepEqual(readdirSync(directory).sort(), ["1-.log", "lock"]);
  const text = readFileSync(join(directory, "1-.log"), "latin1");
  const lines = text.split("\n");
  assert.deepEqual(
    lines.map((line) => line.replace(stamp, "")),
    ["one", "", "three, without its newline", "a\0\xff\x1b", ""],
  );
  for (const line of lines.slice(0, 4)) {
    const at = Date.parse(line.slice(0, 24));
    assert.ok(at >= before - 1 && at <= Date.now() + 1, line);
  }
});

test("a line over 16 KB is cut at a whole character and says how much is missing", async () => {
  using scratch = new TestDirectory();
  const exact = "x".repeat(16_384);
  const input = `${exact}\n${exact}y\nshort\n${"é".repeat(100_000)}\na${"é".repeat(9000)}`;
  await exec(logWriterArgv(hostTools, scratch.path), { input });
  const lines = [...(await keptLines(scratch.path)).values()].map((line) =>
    Buffer.from(line, "latin1").toString(),
  );
  assert.equal(lines[0], exact);
  assert.equal(lines[1], `${exact}... [1 bytes cut]`);
  assert.equal(lines[2], "short");
  assert.equal(lines[3], `${"é".repeat(8192)}... [${200_000 - 16_384} bytes cut]`);
  assert.equal(lines[4], `a${"é".repeat(8191)}... [${18_001 - 16_383} bytes cut]`);
  assert.equal(lines.length, 5);
});

test("a flood of 100 MB is numbered exactly and stays within its size", async (t) => {
  using scratch = new TestDirectory();
  const total = 2_000_000;
  const input = Buffer.from(
    Array.from(
      { length: total },
      (_, index) => `${String(index + 1).padStart(9, "0")} ${"z".repeat(40)}\n`,
    ).join(""),
  );
  const startedAt = performance.now();
  await exec(logWriterArgv(hostTools, scratch.path), { input, timeoutMs: 300_000 });
  const seconds = (performance.now() - startedAt) / 1000;
  t.diagnostic(
    `${(input.length / 1e6 / seconds).toFixed(0)} MB/s, ${Math.round(total / seconds)} lines/s through a pipe from node`,
  );
  const kept = await keptLines(scratch.path);
  assert.ok(kept.size < total, "some were deleted");
  for (const [number, text] of kept) assert.equal(Number(text.slice(0, 9)), number);
  assert.ok(kept.has(total));
  const bytes = [...kept.values()].reduce((sum, text) => sum + text.length + 26, 0);
  assert.ok(bytes > 17e6 && bytes <= 20e6, `${bytes} bytes`);
});

test("a writer that is killed at any moment never lets a number be used twice", async () => {
  using scratch = new TestDirectory();
  const limits = { fileBytes: 20_000, archives: 1000, lineBytes: 1000 };
  let highest = 0;
  for (let round = 0; round < 5; round++) {
    const { length } = await listStreamFiles(join(scratch.path, "out"));
    await using writer = await TestLogWriter.start(join(scratch.path, "out"), limits);
    const writing = writer.write(numbered(1, 40_000, `round ${round} line`)).catch(() => {});
    // The moment of the kill is that of some number of files, wherever the writer is then.
    await until(async () => (await listStreamFiles(join(scratch.path, "out"))).length > length + 1 + round);
    await writer.kill();
    await writing;
    const kept = await keptLines(join(scratch.path, "out"));
    const numbers = [...kept.keys()];
    assert.ok(numbers.length > highest, "it wrote something before it was killed");
    highest = numbers.length;
    assert.deepEqual(
      numbers.slice(0, 3).concat(numbers.at(-1) ?? 0),
      [1, 2, 3, numbers.length],
      "no number is missing",
    );
  }
  const before = await keptLines(join(scratch.path, "out"));
  await exec(logWriterArgv(hostTools, join(scratch.path, "out"), limits), { input: "after\n" });
  const after = await keptLines(join(scratch.path, "out"));
  for (const [number, text] of before) assert.equal(after.get(number), text);
  assert.equal(after.size, before.size + 1);
  assert.equal(after.get(after.size), "after");
});

test("a line torn by a kill keeps its number", async () => {
  using scratch = new TestDirectory();
  await exec(logWriterArgv(hostTools, scratch.path), { input: "whole\n" });
  appendFileSync(join(scratch.path, "1-.log"), "2026-01-01T00:00:00.0");
  await exec(logWriterArgv(hostTools, scratch.path), { input: "after\n" });
  assert.deepEqual(
    [...(await keptLines(scratch.path)).entries()],
    [
      [1, "whole"],
      [2, "2026-01-01T00:00:00.0"],
      [3, "after"],
    ],
  );
});

test("lines that cannot be written are counted and never waited for", async () => {
  using scratch = new TestDirectory();
  const argv = logWriterArgv(hostTools, scratch.path, { ...defaultLogLimits, archives: 100_000 });
  // No file may exceed 4 KB, as if the disk were full again and again.
  await exec(["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", ...argv], { input: numbered(1, 50_000, "line") });
  const kept = await keptLines(scratch.path);
  assert.ok(kept.size > 100 && kept.size < 49_000, `some were kept, some dropped: ${kept.size}`);
  for (const [number, text] of kept) assert.equal(text, `line ${number}`);
});

test("one process serves several streams", async () => {
  using scratch = new TestDirectory();
  const argv = logWriterArgv(hostTools, [join(scratch.path, "stdout"), join(scratch.path, "stderr")]);
  await exec([
    "sh",
    "-c",
    'echo out >"$0.1"; echo err >"$0.2"; exec "$@" <"$0.1" 3<"$0.2"',
    join(scratch.path, "in"),
    ...argv,
  ]);
  assert.deepEqual([...(await keptLines(join(scratch.path, "stdout"))).values()], ["out"]);
  assert.deepEqual([...(await keptLines(join(scratch.path, "stderr"))).values()], ["err"]);
});

test("a second writer waits for the first to be done", async () => {
  using scratch = new TestDirectory();
  const directory = join(scratch.path, "out");
  await using first = await TestLogWriter.start(directory);
  await first.write("first\n");
  await until(async () => (await keptLines(directory)).size === 1);
  const second = exec(logWriterArgv(hostTools, directory), { input: "second\n" });
  await first.write("still first\n");
  await first.end();
  await second;
  assert.deepEqual([...(await keptLines(directory)).values()], ["first", "still first", "second"]);
});

test("a project id cannot lead out of the data directory", () => {
  assert.equal(logDirectory("/data", "01ABC", "app"), "/data/logs/01ABC/app");
  assert.throws(() => logDirectory("/data", "../x", "app"), /not a project id/);
});
