import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "@tijolo/protocol";
import { Attempts } from "./attempts.ts";

const minuteMs = 60_000;
const wrong = async () => false;
const right = async () => true;

function setUp() {
  const clock = { time: 1_000_000, steadyNow: () => clock.time };
  const attempts = new Attempts(clock, { windowMs: 10 * minuteMs, blockMs: 15 * minuteMs });
  const guess = (isRight: () => Promise<boolean>, key = "a") => attempts.guess([{ key, limit: 3 }], isRight);
  return { clock, attempts, guess };
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof AppError && error.code === "too_many_attempts" && (error.retryAfterSeconds ?? 0) > 0
  );
}

test("the third wrong answer within the window blocks, also right ones, for the time of the block", async () => {
  const { clock, guess } = setUp();
  for (let count = 0; count < 3; count++) assert.equal(await guess(wrong), false);
  await assert.rejects(guess(right), isRefusal);
  assert.equal(await guess(right, "b"), true, "somebody else");
  clock.time += 15 * minuteMs - 1;
  await assert.rejects(guess(right), isRefusal);
  clock.time += 1;
  assert.equal(await guess(right), true);
});

test("wrong answers that are older than the window do not count, at whatever moment they came", async () => {
  const { clock, guess } = setUp();
  for (let count = 0; count < 20; count++) {
    assert.equal(await guess(wrong), false);
    clock.time += 5 * minuteMs;
  }
});

test("right answers count nowhere, and clear nothing", async () => {
  const { guess } = setUp();
  for (let count = 0; count < 50; count++) await guess(right);
  await guess(wrong);
  await guess(wrong);
  await guess(right);
  await guess(wrong);
  await assert.rejects(guess(right), isRefusal);
});

test("of many at once, no more than the limit are looked at", async () => {
  const { guess } = setUp();
  let looked = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      guess(async () => {
        looked++;
        return false;
      }),
    ),
  );
  assert.equal(looked, 3);
  assert.equal(results.filter(({ status }) => status === "rejected").length, 47);
});

test("a guess that fails on the way is not a wrong one", async () => {
  const { guess } = setUp();
  const fail = () => Promise.reject(new Error("disk"));
  for (let count = 0; count < 10; count++) await assert.rejects(guess(fail), /disk/);
  assert.equal(await guess(right), true);
});

test("a flood of others does not lift a block while it fits in memory", async () => {
  const { guess } = setUp();
  for (let count = 0; count < 3; count++) await guess(wrong);
  for (let other = 0; other < 50_000; other++) await guess(wrong, `other ${other}`);
  await assert.rejects(guess(right), isRefusal);
});

test("a guess that counts in two ways is blocked when either is full", async () => {
  const { attempts } = setUp();
  const from = (address: string, isRight: () => Promise<boolean>) =>
    attempts.guess(
      [
        { key: `address ${address}`, limit: 3 },
        { key: "person", limit: 5 },
      ],
      isRight,
    );
  for (const address of ["a", "a", "a", "b", "b"]) assert.equal(await from(address, wrong), false);
  await assert.rejects(from("c", right), isRefusal, "the person's is full");
  assert.equal(await attempts.guess([{ key: "address c", limit: 3 }], right), true);
  await assert.rejects(
    attempts.guess([{ key: "address a", limit: 3 }], right),
    isRefusal,
    "the address's is full",
  );
});

test("what is answered before it is counted: the tenth wrong one blocks further wrong ones, which do not prolong the block", () => {
  const { clock, note } = noting();
  assert.deepEqual(note(12), [...Array<null>(10).fill(null), 900, 900]);
  clock.time += 14 * minuteMs;
  assert.deepEqual(note(1), [60]);
  assert.deepEqual(note(1, "somebody else"), [null]);
  clock.time += minuteMs;
  assert.deepEqual(note(11), [...Array<null>(10).fill(null), 900]);
});

test("only those of the last ten minutes count, wherever the ten minutes begin", () => {
  const { clock, note } = noting();
  note(5);
  clock.time += 9 * minuteMs;
  note(4);
  clock.time += minuteMs;
  assert.deepEqual(note(6), Array(6).fill(null), "the first five are too old");
  assert.deepEqual(note(1), [900], "those ten came within a minute");
});

test("of very many who are not blocked, the quietest are forgotten", () => {
  const { note } = noting();
  note(9, "first");
  note(9, "second");
  for (let other = 0; other < 19_998; other++) note(1, `other ${other}`);
  assert.deepEqual(note(2, "second"), [null, 900]);
  note(1, "one too many");
  assert.deepEqual(note(2, "first"), [null, null], "it was the one without an attempt for longest");
});

/** Each answers for how many seconds it was refused, or null when it counted. */
function noting() {
  const { clock, attempts } = setUp();
  const noteOne = (key: string): number | null => {
    try {
      attempts.noteWrong({ key, limit: 10 });
      return null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return (error as AppError).retryAfterSeconds;
    }
  };
  return { clock, note: (times: number, key = "a") => Array.from({ length: times }, () => noteOne(key)) };
}
