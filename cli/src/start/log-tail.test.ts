import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { LogTail, type LogRecord } from "./log-tail.ts";

function openTail(t: TestContext): { records: LogRecord[]; write: (bytes: string | Uint8Array) => void } {
  const directory = mkdtempSync(join(tmpdir(), "tijolo-log-tail-"));
  const records: LogRecord[] = [];
  const tail = new LogTail(join(directory, "service.log"), (record) => records.push(record));
  t.after(() => {
    tail[Symbol.dispose]();
    rmSync(directory, { recursive: true });
  });
  const write = (bytes: string | Uint8Array) => {
    writeSync(tail.fileDescriptor, Buffer.from(bytes));
    tail.read();
  };
  return { records, write };
}

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
