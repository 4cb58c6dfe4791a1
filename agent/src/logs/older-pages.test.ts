import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { logDirectory } from "./writer/log-files.ts";
import { BackwardLines } from "./reading/backward-lines.ts";
import { InvalidCursorError } from "./reading/log-cursor.ts";
import type { LogPageQuery } from "./log-line.ts";
import type { LogPage } from "./reading/log-page.ts";
import { ProjectLogs } from "./project-logs.ts";
import { numbered, TestDirectory, TestLogWriter, until } from "./writer/test-log-writer.ts";

const project = "01K0TESTPR0JECT";

function makeLogs(scratch: TestDirectory, boot = "1"): ProjectLogs {
  return new ProjectLogs({ data: scratch.path, bootId: boot, createId: () => `id${boot}` });
}

const pathOf = (scratch: TestDirectory, path: string) => join(scratch.path, "logs", project, path);

function put(scratch: TestDirectory, path: string, lines: string[]): void {
  const file = pathOf(scratch, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
}

const textsOf = (page: LogPage) => page.lines.map(({ text }) => text);

/** Reads all pages back to the oldest line, newest page first. */
async function walkBack(
  logs: ProjectLogs,
  query: LogPageQuery,
  between?: (pages: LogPage[]) => unknown,
): Promise<LogPage[]> {
  const pages: LogPage[] = [];
  for (let before = query.before; ;) {
    const page = await logs.readLast(project, { ...query, before, tellsPrevious: true });
    pages.push(page);
    if (page.previousCursor === null) return pages;
    before = page.previousCursor;
    await between?.(pages);
  }
}

const whole = (pages: LogPage[]) => pages.toReversed().flatMap(textsOf);

/**
 * Six files of four streams, most of their lines in one millisecond, some without a time, and a clock that
 * was set back.
 */
function putManyStreams(scratch: TestDirectory): void {
  const same = "2026-01-01T10:00:05.000Z";
  const many = (word: string, first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => `${same} ${word} ${first + index}`);
  put(scratch, "install/stdout/1-.log", ["2026-01-01T10:00:00.000Z begin", ...many("install", 2, 9)]);
  put(scratch, "app/stdout/5-14.log", many("out", 5, 14));
  put(scratch, "app/stdout/15-15.log", many("out", 15, 15));
  put(scratch, "app/stdout/16-.log", [...many("out", 16, 30), "torn", "2026-01-01T10:00:07.000Z out 32"]);
  put(scratch, "app/stderr/1-.log", [
    ...many("err", 1, 7),
    "2026-01-01T09:59:59.000Z err 8",
    ...many("err", 9, 12),
    "torn too",
  ]);
  put(scratch, "app/system/3-3.log", ["2026-01-01T10:00:06.000Z system 3"]);
}

test("pages back give every line once and in order, of whatever size and with whatever filter", async () => {
  using scratch = new TestDirectory();
  putManyStreams(scratch);
  const logs = makeLogs(scratch);
  const since = new Date("2026-01-01T10:00:05.000Z");
  const filters = [
    {},
    { section: "app" },
    { stream: "stdout" },
    { section: "install", stream: "stdout" },
    { q: "OUT" },
    { q: "1" },
    { q: "torn", since },
    { since },
    { until: since },
    { q: "nowhere" },
  ] as const;
  for (const filter of filters) {
    const all = textsOf(await logs.readLast(project, { ...filter, lines: 1_000 }));
    for (const lines of [1, 2, 3, 7, 50]) {
      const pages = await walkBack(logs, { ...filter, lines });
      assert.deepEqual(whole(pages), all, JSON.stringify({ ...filter, lines }));
      const sizes = pages.map((page) => page.lines.length);
      assert.ok(sizes.slice(0, -1).every((size) => size === lines));
      assert.ok(pages.length === 1 || sizes.at(-1) !== 0, "the last page that is told of has lines");
    }
  }
});

test("what lies before a cursor and what comes after it are together all lines", async () => {
  using scratch = new TestDirectory();
  putManyStreams(scratch);
  const logs = makeLogs(scratch);
  const { lines, nextCursor } = await logs.readLast(project, { lines: 1_000 });
  const pages = await walkBack(logs, { lines: 7 });
  const cursors = [
    ...lines.map(({ cursor }) => cursor),
    nextCursor,
    ...pages.flatMap((page) => page.previousCursor ?? []),
  ];
  for (const cursor of cursors) {
    const texts = textsOf(await logs.readLast(project, { lines: 1_000, before: cursor }));
    const follow = logs.follow(
      project,
      { after: cursor, lines: 0, endsWhenRead: true },
      AbortSignal.timeout(60_000),
    );
    for await (const items of follow)
      texts.push(...items.map((item) => (item.type === "line" ? item.text : "a gap")));
    assert.deepEqual(texts.toSorted(), lines.map(({ text }) => text).toSorted(), cursor);
  }
  const second = pages[1];
  const next = logs.follow(
    project,
    { after: second?.nextCursor ?? "", lines: 0, endsWhenRead: true },
    AbortSignal.timeout(60_000),
  );
  const items = (await Array.fromAsync(next)).flat();
  assert.equal(
    items.length,
    7,
    "what goes on after a page that lies before a cursor is the page that it came from",
  );
});

test("pages back, while lines are written and files get full and go, give every line that is still kept, once", async () => {
  using scratch = new TestDirectory();
  const directory = join(logDirectory(scratch.path, project, "app"), "stdout");
  await using writer = await TestLogWriter.start(directory, {
    fileBytes: 8_000,
    archives: 4,
    lineBytes: 1_000,
  });
  const logs = makeLogs(scratch);
  let written = 0;
  const write = async (count: number) => {
    await writer.write(numbered(written + 1, written + count, "line"));
    written += count;
    await until(async () => textsOf(await logs.readLast(project, { lines: 1 }))[0] === `line ${written}`);
  };
  while (written < 600) await write(60);
  const fileCount = () => readdirSync(directory).filter((name) => name.endsWith(".log")).length;
  assert.ok(fileCount() > 2);
  const kept: number[] = [];
  const pages = await walkBack(logs, { lines: 50 }, async () => {
    await write(80);
    kept.push(await oldest(logs));
  });
  const numbers = whole(pages).map((text) => Number(text.split(" ")[1]));
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => 601 - numbers.length + index),
  );
  assert.ok((kept.at(-1) ?? 0) > 1, "some were removed meanwhile");
  assert.ok(
    (numbers[0] ?? 0) <= (kept.at(-1) ?? 0),
    `${numbers[0]}: to the oldest line that was kept, ${kept.at(-1)}`,
  );
});

async function oldest(logs: ProjectLogs): Promise<number> {
  const { lines } = await logs.readLast(project, { lines: 100_000 });
  return Number(lines[0]?.text.split(" ")[1]);
}

test("files that are removed between two pages leave what is kept, and then an end", async () => {
  using scratch = new TestDirectory();
  const at = "2026-01-01T10:00:05.000Z";
  for (const first of [1, 11, 21]) {
    const lines = Array.from({ length: 10 }, (_, index) => `${at} ${first + index}`);
    put(scratch, `app/stdout/${first}-${first === 21 ? "" : first + 9}.log`, lines);
  }
  const logs = makeLogs(scratch);
  const pages = await walkBack(logs, { lines: 4 }, ({ length }) => {
    if (length === 2) rmSync(pathOf(scratch, "app/stdout/1-10.log"));
  });
  assert.deepEqual(
    whole(pages),
    Array.from({ length: 20 }, (_, index) => String(index + 11)),
  );
  const [, second] = pages;
  rmSync(pathOf(scratch, "app/stdout/11-20.log"));
  rmSync(pathOf(scratch, "app/stdout/21-.log"));
  const gone = await logs.readLast(project, {
    lines: 4,
    before: second?.previousCursor ?? "",
    tellsPrevious: true,
  });
  assert.deepEqual([gone.lines, gone.previousCursor], [[], null]);
});

test("before a cursor of another log there is nothing, and one that is none is refused", async () => {
  using scratch = new TestDirectory();
  const logs = makeLogs(scratch);
  const empty = async (before: string) => {
    const { lines, previousCursor } = await logs.readLast(project, { lines: 9, before, tellsPrevious: true });
    assert.deepEqual([lines, previousCursor], [[], null]);
  };
  await empty("abcd.9.9.9.9.9.9"); // there is no log yet
  putManyStreams(scratch);
  await empty("abcd.9.9.9.9.9.9");
  for (const before of ["", "x", "abcd.1.2.3", `abcd.1.2.3.4.5.${"9".repeat(40)}`]) {
    await assert.rejects(logs.readLast(project, { lines: 9, before }), InvalidCursorError, before);
  }
});

test("lines that a power cut took, and those whose numbers came again, do not lie before a cursor of then", async () => {
  using scratch = new TestDirectory();
  const write = async (logs: ProjectLogs, word: string) => {
    for (let index = 1; index <= 6; index++)
      await logs.appendSystemLine(project, "app", `${word} ${index}`, new Date());
  };
  await write(makeLogs(scratch), "old");
  const { nextCursor } = await makeLogs(scratch).readLast(project, { lines: 1 });
  const line = "2026-01-01T10:00:05.000Z old 1\n";
  truncateSync(pathOf(scratch, "app/system/1-.log"), 2 * line.length);
  const after = makeLogs(scratch, "2");
  await write(after, "new");
  assert.deepEqual(whole(await walkBack(after, { lines: 1, before: nextCursor })), ["old 1", "old 2"]);
});

test("a page before a line deep in the log opens its file, and no older one than it needs", async () => {
  using scratch = new TestDirectory();
  const directory = pathOf(scratch, "app/stdout");
  const at = "2026-01-01T10:00:05.000Z";
  for (let first = 1; first <= 9_001; first += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, index) => `${at} ${first + index}`);
    put(scratch, `app/stdout/${first}-${first + 999}.log`, lines);
  }
  // A directory in the place of a file cannot be read.
  for (const range of ["1-1000", "3001-4000", "5001-6000"]) {
    rmSync(join(directory, `${range}.log`));
    mkdirSync(join(directory, `${range}.log`));
  }
  const reader = await BackwardLines.open(directory, 4_500);
  const chunk = await reader.read();
  await reader.close();
  assert.deepEqual(
    [reader.newest, chunk?.last, chunk?.lines.length, chunk?.lines.at(-1)],
    [4_500, 4_500, 500, `${at} 4500`],
  );
  appendFileSync(join(directory, "10001-.log"), `${at} 10001\n`);
  const { lines } = await makeLogs(scratch).readLast(project, {
    lines: 3,
    before: `id1.0.0.0.${(4_500).toString(36)}.0.0`,
  });
  assert.deepEqual(
    lines.map(({ text }) => text),
    ["4498", "4499", "4500"],
  );
});
