import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { SmallDisk } from "../../../test/support/machine/small-disk.ts";
import { LogDestination } from "./log-destination.ts";

const lineOf = (msg: string) => `${JSON.stringify({ msg })}\n`;

/** A pipe with this process at both ends; neither end waits. */
function makePipe(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), "tijolo-log-destination-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  const openReader = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const reader = openReader();
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  t.after(() => closeSync(writer));
  return { reader, writer, openReader };
}

/** Reads everything that a pipe holds. */
function drain(reader: number): string {
  const chunks: Buffer[] = [];
  const buffer = Buffer.alloc(1024 * 1024);
  for (;;) {
    try {
      const count = readSync(reader, buffer);
      if (count === 0) break;
      chunks.push(Buffer.from(buffer.subarray(0, count)));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "EAGAIN");
      break;
    }
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the messages of a log; fails for a line that is no complete JSON. */
function messagesIn(text: string): string[] {
  assert.ok(text.endsWith("\n"), "the log ends with a whole line");
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line).msg);
}

test(
  "lines that a full disk refuses are lost, whole and counted, and the log goes on when there is room",
  { skip: process.getuid?.() !== 0 && "needs root to mount a disk" },
  async (t) => {
    await using disk = await SmallDisk.create(64 * 1024);
    const path = join(disk.directory, "program.log");
    const file = openSync(path, "a");
    t.after(() => closeSync(file));
    const destination = new LogDestination(file, "central");
    const text = "ã".repeat(1_500);
    destination.write(lineOf(`first ${text}`));
    disk.fill();
    // The page that the first line began has room for a part of the second.
    for (const name of ["second", "third", "fourth"]) destination.write(lineOf(`${name} ${text}`));
    assert.equal(readFileSync(path).length % 4096, 0, "not a byte more fits");
    disk.makeRoom();
    destination.write(lineOf("fifth"));
    destination.write(lineOf("sixth"));
    assert.deepEqual(messagesIn(readFileSync(path, "utf8")), [
      `first ${text}`,
      `second ${text}`,
      "lines of this log that could not be written and are lost: 2 (ENOSPC)",
      "fifth",
      "sixth",
    ]);
    const loss = readFileSync(path, "utf8").split("\n")[2] ?? "";
    assert.deepEqual(
      { ...JSON.parse(loss), time: 0, msg: "" },
      { level: 40, time: 0, program: "central", lost: 2, msg: "" },
    );
  },
);

test("a pipe that nobody reads holds up the program once and shortly, and what was lost is told when it is read", (t) => {
  const { reader, writer } = makePipe(t);
  t.after(() => closeSync(reader));
  const destination = new LogDestination(writer, "agent");
  const startedMs = performance.now();
  const lines = Array.from({ length: 1_000 }, (_, index) => `${index} ${"x".repeat(10_000)}`);
  for (const line of lines) destination.write(lineOf(line));
  assert.ok(performance.now() - startedMs < 2_000, "a pause for each line would be 100 s");
  let text = drain(reader);
  destination.write(lineOf("after"));
  text += drain(reader);
  const messages = messagesIn(text);
  const kept = messages.length - 2;
  assert.ok(kept > 0);
  assert.deepEqual(messages.slice(0, kept), lines.slice(0, kept));
  assert.deepEqual(messages.slice(kept), [
    `lines of this log that could not be written and are lost: ${1_000 - kept} (EAGAIN)`,
    "after",
  ]);
});

test("a reader that is gone is missed by nobody, and a new one hears what it missed", (t) => {
  const { reader, writer, openReader } = makePipe(t);
  const destination = new LogDestination(writer, "agent");
  closeSync(reader);
  destination.write(lineOf("unheard"));
  const newReader = openReader();
  t.after(() => closeSync(newReader));
  destination.write(lineOf("heard"));
  assert.deepEqual(messagesIn(drain(newReader)), [
    "lines of this log that could not be written and are lost: 1 (EPIPE)",
    "heard",
  ]);
});

test("where nothing is open, lines are lost only", () => {
  const destination = new LogDestination(2 ** 30, "agent");
  for (const line of ["nowhere", "nowhere either"]) destination.write(lineOf(line));
});
