import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { exec, execDetached } from "../../host/exec.ts";
import { defaultLogLimits, logDirectory, logWriterArgv } from "../writer/log-files.ts";
import { ProjectLogs } from "../project-logs.ts";
import {
  hostTools,
  isRunning,
  numbered,
  TestDirectory,
  TestLogWriter,
  until,
} from "../writer/test-log-writer.ts";

const project = "01K0TESTPR0JECT";
const beginning = "0000.0.0.0.0.0.0";
const smallLimits = { ...defaultLogLimits, fileBytes: 50_000, archives: 4 };

interface Scene extends Disposable {
  data: string;
  logs: ProjectLogs;
  stdout: string;
}

async function makeScene(): Promise<Scene> {
  const scratch = new TestDirectory();
  const data = scratch.path;
  const logs = new ProjectLogs({
    data,
    bootId: "a boot",
    createId: () => `id${process.hrtime.bigint().toString(36).slice(-8)}`,
  });
  await logs.mark(project, "app", { version: 1, at: new Date() });
  return {
    data,
    logs,
    stdout: join(logDirectory(data, project, "app"), "stdout"),
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}

interface Seen {
  /** The number in each line's text, in the order of delivery. */
  numbers: number[];
  droppedLines: number;
  cursor: string;
}

/**
 * Follows until the line `text last` or, where given, until `stopAfter` lines. Checks that gaps and lines add
 * up on the way.
 */
async function followTo(
  logs: ProjectLogs,
  after: string,
  { last, stopAfter = Number.POSITIVE_INFINITY }: { last: number; stopAfter?: number },
): Promise<Seen> {
  const seen: Seen = { numbers: [], droppedLines: 0, cursor: after };
  const stop = new AbortController();
  for await (const batch of logs.follow(project, { after, lines: 0 }, stop.signal)) {
    for (const item of batch) {
      seen.cursor = item.cursor;
      if (item.type === "gap") seen.droppedLines += item.droppedLines;
      else seen.numbers.push(Number(item.text.slice(item.text.lastIndexOf(" "))));
      if (seen.numbers.length >= stopAfter) return seen;
    }
    if (seen.numbers.at(-1) === last) return seen;
  }
  return seen;
}

function assertRising(numbers: readonly number[]): void {
  for (let index = 1; index < numbers.length; index++)
    assert.ok((numbers[index] ?? 0) > (numbers[index - 1] ?? 0), "no line twice");
}

test("a line reaches a follower within 50 ms", async (t) => {
  using scene = await makeScene();
  await using writer = await TestLogWriter.start(scene.stdout);
  await writer.write("first 0\n");
  const items = scene.logs.follow(project, { after: beginning, lines: 0 }, new AbortController().signal);
  await items.next();
  const delays: number[] = [];
  for (let index = 1; index <= 40; index++) {
    const next = items.next();
    await delay(20); // the follower is waiting, as it is at a low rate
    const writtenAt = performance.now();
    await writer.write(`line ${index}\n`);
    const { value } = await next;
    delays.push(performance.now() - writtenAt);
    assert.deepEqual(
      value?.map((item) => item.type === "line" && item.text),
      [`line ${index}`],
    );
  }
  delays.sort((a, b) => a - b);
  t.diagnostic(`median ${delays[20]?.toFixed(1)} ms, slowest ${delays.at(-1)?.toFixed(1)} ms`);
  assert.ok((delays[20] ?? 0) < 50);
  await items.return();
});

test("a fast follower sees each of 1,000,000 lines once, or exactly how many it missed", async (t) => {
  using scene = await makeScene();
  const total = 1_000_000;
  const input = numbered(1, total, "a line of some length, as programs write it: number");
  const writing = exec(logWriterArgv(hostTools, scene.stdout), { input, timeoutMs: 300_000 });
  const startedAt = performance.now();
  const seen = await followTo(scene.logs, beginning, { last: total });
  const seconds = (performance.now() - startedAt) / 1000;
  await writing;
  t.diagnostic(`${Math.round(seen.numbers.length / seconds)} lines/s, ${seen.droppedLines} dropped`);
  assertRising(seen.numbers);
  assert.equal(seen.numbers.length + seen.droppedLines, total);
});

test("a writer at 50,000 lines a second is followed without loss", async (t) => {
  using scene = await makeScene();
  const total = 100_000;
  await using writer = await TestLogWriter.start(scene.stdout);
  const following = followTo(scene.logs, beginning, { last: total });
  const startedAt = performance.now();
  for (let first = 1; first <= total; first += 500) {
    await writer.write(numbered(first, first + 499, "an ordinary line, number"));
    await delay(Math.max(1, startedAt + (first / 50_000) * 1000 - performance.now()));
  }
  const seen = await following;
  const behindMs = performance.now() - startedAt - 2000;
  t.diagnostic(`the last line came ${behindMs.toFixed(0)} ms after its time`);
  assert.equal(seen.droppedLines, 0);
  assert.deepEqual(
    seen.numbers,
    Array.from({ length: total }, (_, index) => index + 1),
  );
});

test("what is kept is read at more than 200,000 lines a second", async (t) => {
  using scene = await makeScene();
  const total = 200_000;
  const input = numbered(1, total, "a line of some length, as programs write it: number");
  await exec(logWriterArgv(hostTools, scene.stdout), { input, timeoutMs: 300_000 });
  const startedAt = performance.now();
  const seen = await followTo(scene.logs, beginning, { last: total });
  const seconds = (performance.now() - startedAt) / 1000;
  const searchedAt = performance.now();
  const found = await scene.logs.readLast(project, { lines: 10, q: "NUMBER 123456" });
  const searchMs = performance.now() - searchedAt;
  const pagedAt = performance.now();
  await scene.logs.readLast(project, { lines: 1000 });
  const pageMs = performance.now() - pagedAt;
  t.diagnostic(
    `${Math.round(total / seconds)} lines/s; a search of all ${searchMs.toFixed(0)} ms; the last 1000 in ${pageMs.toFixed(1)} ms`,
  );
  assert.equal(seen.numbers.length, total);
  assert.equal(found.lines.length, 1);
});

test("a slow follower costs no memory and is told exactly what it missed", async (t) => {
  using scene = await makeScene();
  await exec(logWriterArgv(hostTools, scene.stdout), { input: numbered(1, 10, "line") });
  const stop = new AbortController();
  const items = scene.logs.follow(project, { after: beginning, lines: 0 }, stop.signal);
  const first = await items.next();
  assert.equal(first.value?.length, 10);
  const total = 1_500_000;
  const input = Buffer.from(numbered(11, total, "a line of some length, as programs write it: number"));
  const heapBefore = process.memoryUsage().heapUsed;
  await exec(logWriterArgv(hostTools, scene.stdout), { input, timeoutMs: 300_000 });
  const grownMb = (process.memoryUsage().heapUsed - heapBefore) / 1e6;
  t.diagnostic(
    `heap grew by ${grownMb.toFixed(1)} MB during a flood of ${(input.length / 1e6).toFixed(0)} MB`,
  );
  assert.ok(grownMb < 20);
  const names = await readdir(scene.stdout);
  const oldestKept = Math.min(
    ...names.filter((name) => name.endsWith(".log")).map((name) => Number.parseInt(name)),
  );
  assert.ok(oldestKept > 1000, "lines were really dropped");
  let expected = 11;
  let gaps = 0;
  for await (const batch of items) {
    for (const item of batch) {
      if (item.type === "gap") {
        gaps += 1;
        expected += item.droppedLines;
      } else {
        assert.equal(Number(item.text.slice(item.text.lastIndexOf(" "))), expected);
        expected += 1;
      }
    }
    if (expected > total) break;
  }
  assert.equal(gaps, 1);
});

test("a cursor continues across rotation, restarts of the writer and of the reader", async () => {
  using scene = await makeScene();
  const numbers: number[] = [];
  let cursor = beginning;
  let droppedLines = 0;
  let written = 0;
  for (let round = 0; round < 12; round++) {
    const count = 2_000 + round * 97;
    await exec(logWriterArgv(hostTools, scene.stdout, smallLimits), {
      input: numbered(written + 1, written + count, "line"),
    });
    written += count;
    const again = new ProjectLogs({ data: scene.data, bootId: "a boot", createId: () => "another1" });
    const isPartial = round % 3 !== 2;
    const seen = await followTo(again, cursor, {
      last: written,
      ...(isPartial ? { stopAfter: 150 + round } : {}),
    });
    numbers.push(...seen.numbers);
    droppedLines += seen.droppedLines;
    cursor = seen.cursor;
  }
  assert.ok(
    !(await readdir(scene.stdout)).some((name) => name.startsWith("1-")),
    "files were filled and deleted",
  );
  assertRising(numbers);
  assert.equal(numbers.at(-1), written);
  assert.equal(numbers.length + droppedLines, written);
});

test("lines that a full disk refused are a gap of their exact number in their place", async () => {
  using scene = await makeScene();
  const total = 50_000;
  const argv = logWriterArgv(hostTools, scene.stdout, { ...defaultLogLimits, archives: 100_000 });
  await exec(["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", ...argv], {
    input: numbered(1, total, "line"),
    timeoutMs: 300_000,
  });
  await exec(logWriterArgv(hostTools, scene.stdout), { input: "the disk has room again\n" });
  let expected = 1;
  let gaps = 0;
  const stop = new AbortController();
  for await (const batch of scene.logs.follow(project, { after: beginning, lines: 0 }, stop.signal)) {
    for (const item of batch) {
      if (item.type === "gap") gaps += 1;
      else if (item.text !== "the disk has room again") assert.equal(item.text, `line ${expected}`);
      else stop.abort();
      expected += item.type === "gap" ? item.droppedLines : 1;
    }
  }
  assert.ok(gaps > 1, "lines were refused more than once");
});

test("a reader that is killed loses and repeats nothing", async () => {
  using scene = await makeScene();
  await using writer = await TestLogWriter.start(scene.stdout, { ...smallLimits, archives: 1000 });
  const total = 60_000;
  const writing = (async () => {
    for (let first = 1; first <= total; first += 100) {
      await writer.write(numbered(first, first + 99, "line"));
      await delay(1);
    }
  })();
  const numbers: number[] = [];
  let cursor = beginning;
  const program = join(import.meta.dirname, "test-follow-program.ts");
  for (let round = 0; round < 3; round++) {
    const output = join(scene.data, `output.${round}`);
    writeFileSync(output, "");
    const pid = await execDetached([
      "sh",
      "-c",
      'exec "$@" >"$0"',
      output,
      process.execPath,
      program,
      scene.data,
      project,
      cursor,
    ]);
    const linesOut = () => readFileSync(output, "utf8").split("\n").slice(0, -1);
    await until(() => linesOut().length > 5_000);
    process.kill(pid, "SIGKILL");
    await until(() => !isRunning(pid));
    for (const line of linesOut()) {
      const item = JSON.parse(line) as { cursor: string; text: string };
      numbers.push(Number(item.text.slice(5)));
      cursor = item.cursor;
    }
  }
  await writing;
  const rest = await followTo(scene.logs, cursor, { last: total });
  numbers.push(...rest.numbers);
  assert.deepEqual(
    numbers,
    Array.from({ length: total }, (_, index) => index + 1),
  );
});

test("a writer that is killed under a follower repeats nothing and loses only what it held", async () => {
  using scene = await makeScene();
  let written = 0;
  const seen: number[] = [];
  const stop = new AbortController();
  const following = (async () => {
    for await (const batch of scene.logs.follow(project, { after: beginning, lines: 0 }, stop.signal)) {
      for (const item of batch) {
        assert.equal(item.type, "line", "no gap");
        if (item.type === "line" && /^line \d+$/.test(item.text)) seen.push(Number(item.text.slice(5)));
      }
    }
  })();
  for (let round = 0; round < 5; round++) {
    await using writer = await TestLogWriter.start(scene.stdout, { ...smallLimits, archives: 1000 });
    const first = written + 1;
    const writing = writer.write(numbered(first, first + 19_999, "line")).catch(() => {});
    written += 20_000;
    await until(() => (seen.at(-1) ?? 0) >= first);
    await writer.kill();
    await writing;
  }
  await exec(logWriterArgv(hostTools, scene.stdout, smallLimits), {
    input: numbered(written + 1, written + 1, "line"),
  });
  await until(() => seen.at(-1) === written + 1);
  stop.abort();
  await following;
  assertRising(seen);
  assert.ok(seen.length > 1000);
});

test("a project that writes 100 lines a second with nobody reading is never held up and loses nothing", async () => {
  using scene = await makeScene();
  await using writer = await TestLogWriter.start(scene.stdout);
  let slowestMs = 0;
  for (let index = 1; index <= 300; index++) {
    const startedAt = performance.now();
    await writer.write(`line ${index}\n`);
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    await delay(Math.max(0, 10 - (performance.now() - startedAt)));
  }
  assert.ok(slowestMs < 500, `a write took ${slowestMs} ms`);
  await writer.end();
  const { lines } = await scene.logs.readLast(project, { lines: 1000 });
  assert.deepEqual(
    lines.map((line) => line.text),
    numbered(1, 300, "line").trimEnd().split("\n"),
  );
});
