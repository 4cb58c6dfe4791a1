import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { SmallDisk } from "../../../test/support/machine/small-disk.ts";
import { LogTail, type LogRecord } from "./log-tail.ts";

/** Opens a log tail that is closed at the end of the test. */
function openTail(t: TestContext, directory = makeDirectory(t)) {
  const path = join(directory, "service.log");
  const records: LogRecord[] = [];
  const tail = new LogTail(path, (record) => records.push(record));
  t.after(() => tail[Symbol.dispose]());
  const append = (bytes: string | Uint8Array) => writeSync(tail.fileDescriptor, Buffer.from(bytes));
  const write = (bytes: string | Uint8Array) => {
    append(bytes);
    tail.read();
  };
  const messages = () => records.map(({ message }) => message);
  return { path, records, messages, append, write };
}

function makeDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "tijolo-log-tail-"));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** More text than a log may have. */
const tooMuch = `${"x".repeat(1_023)}\n`.repeat(16 * 1024 + 1);
const isOfLog = (message: string) => /^x+$/.test(message);

test("lines come whole, wherever the reads cut them", (t) => {
  const { records, write } = openTail(t);
  const bytes = Buffer.from('{"level":30,"msg":"ação"}\n\ncrash: não\n');
  for (const byte of bytes) write(Uint8Array.of(byte));
  assert.deepEqual(
    records.map(({ level, message }) => [level, message]),
    [
      [30, "ação"],
      [50, "crash: não"],
    ],
  );
  write(Buffer.concat([bytes, bytes, Buffer.from("unfinished")]));
  assert.equal(records.length, 6);
});

test("a long line is read once, in however many pieces it comes", (t) => {
  const { records, write } = openTail(t);
  const startedMs = performance.now();
  write("x".repeat(10_000_000));
  for (let count = 0; count < 10_000; count += 1) write("x");
  write("\n");
  assert.deepEqual([records.length, records[0]?.text.length], [1, 10_010_000]);
  assert.ok(performance.now() - startedMs < 10_000);
});

test("a log that is too long is cut, and what it had stays beside it", (t) => {
  const { path, messages, write } = openTail(t);
  write(tooMuch);
  assert.deepEqual([statSync(path).size, statSync(`${path}.1`).size], [0, tooMuch.length]);
  write("after\n");
  assert.deepEqual(
    messages().filter((message) => !isOfLog(message)),
    ["after"],
  );
});

test("a log that cannot be kept is only cut, and why is said each time", (t) => {
  const { path, messages, write } = openTail(t);
  mkdirSync(`${path}.1`);
  for (let time = 0; time < 2; time++) {
    write(tooMuch);
    assert.equal(statSync(path).size, 0);
  }
  write("after\n");
  const [first = "", second = "", ...others] = messages().filter((message) => !isOfLog(message));
  assert.match(first, /service\.log.*EISDIR/);
  assert.equal(second, first);
  assert.deepEqual(others, ["after"]);
});

test(
  "a log on a full disk gives back all that it takes",
  { skip: process.getuid?.() !== 0 && "needs root to mount a disk" },
  async () => {
    await using disk = await SmallDisk.create(24 * 1024 * 1024);
    using closing = new DisposableStack();
    const records: LogRecord[] = [];
    const path = join(disk.directory, "service.log");
    const tail = closing.use(new LogTail(path, (record) => records.push(record)));
    writeSync(tail.fileDescriptor, tooMuch);
    tail.read();
    assert.deepEqual([statSync(path).size, existsSync(`${path}.1`)], [0, false]);
    assert.match(records.at(-1)?.message ?? "", /service\.log.*ENOSPC/);
  },
);

test("a log that was taken away is cut where it is, and its name is not looked for", (t) => {
  const { path, messages, write } = openTail(t);
  renameSync(path, `${path}.taken`);
  write(tooMuch);
  assert.deepEqual([statSync(`${path}.taken`).size, existsSync(path)], [0, false]);
  write("after\n");
  assert.equal(messages().at(-1), "after");
});

test("a log that somebody else cuts is read on from its new beginning", (t) => {
  const { path, messages, append, write } = openTail(t);
  write("one\ntwo\nthree\n");
  truncateSync(path, 0);
  append("four\n");
  write("five\n");
  assert.deepEqual(messages(), ["one", "two", "three", "four", "five"]);
});

test("a log that cannot be read is told of once", { skip: process.platform !== "linux" }, (t) => {
  const records: LogRecord[] = [];
  // Nothing is at the beginning of a process's memory: reading there is an EIO, as on a broken disk.
  const tail = new LogTail("/proc/self/mem", (record) => records.push(record));
  t.after(() => tail[Symbol.dispose]());
  tail.read();
  tail.read();
  assert.deepEqual(
    records.map(({ level, message }) => [level, message]),
    [[40, "mem: EIO: i/o error, read"]],
  );
});
