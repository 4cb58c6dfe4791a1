import assert from "node:assert/strict";
import { test } from "node:test";
import { LogStreamSlots } from "./log-stream-slots.ts";
import { Pace } from "./pace.ts";
import { UploadSlots } from "./upload-slots.ts";

function clockAt(start = 1_000_000): { steadyNow: () => number; wait: (ms: number) => void } {
  let now = start;
  return { steadyNow: () => now, wait: (ms) => void (now += ms) };
}

const tooEarly = (retryAfterSeconds: number) => ({ code: "too_many_requests", retryAfterSeconds });

test("the next of a subject begins when its pause is over, and a refused one does not prolong it", () => {
  const clock = clockAt();
  const pace = new Pace(clock, 3_000);
  pace.begin("a");
  pace.begin("b");
  clock.wait(2_000);
  assert.throws(() => pace.begin("a"), tooEarly(1));
  clock.wait(1_000);
  pace.begin("a");
  assert.throws(() => pace.begin("a"), tooEarly(3));
});

test("what did not come about is taken back, unless another one has begun since", () => {
  const clock = clockAt();
  const pace = new Pace(clock, 3_000);
  const takeBack = pace.begin("a");
  pace.begin("b");
  assert.throws(() => pace.begin("a"), tooEarly(3), "while it is under way nothing passes beside it");
  takeBack();
  const second = pace.begin("a");
  takeBack();
  assert.throws(() => pace.begin("a"), tooEarly(3));
  clock.wait(3_000);
  pace.begin("a");
  second();
  assert.throws(() => pace.begin("a"), tooEarly(3));
});

test("a slot counts until it is given back, once; a refused opening leaves the project's time as it is", () => {
  const clock = clockAt();
  const slots = new LogStreamSlots(clock, { logOpenEveryMs: 5_000, logStreamsAtOnce: 2 });
  const first = slots.open("account", "p1");
  assert.throws(() => slots.open("account", "p1"), tooEarly(5));
  slots.open("account", "p2");
  assert.throws(() => slots.open("account", "p3"), { code: "too_many_requests" });
  slots.open("other", "p4");
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  slots.open("account", "p3");
  assert.throws(() => slots.open("account", "p5"), { code: "too_many_requests" });
});

test("a stream that failed to open gives back its project's time with its slot", () => {
  const slots = new LogStreamSlots(clockAt(), { logOpenEveryMs: 5_000, logStreamsAtOnce: 1 });
  {
    using slot = slots.open("account", "p1");
    slot.fail();
    assert.throws(() => slots.open("account", "p1"), tooEarly(5), "its slot is still taken");
  }
  slots.open("account", "p1");
  assert.throws(() => slots.open("account", "p1"), tooEarly(5));
});

test("an account's uploads are bounded in pace and in number, and one that is refused for its number does not set the pace", () => {
  const clock = clockAt();
  const slots = new UploadSlots(clock, { uploadEveryMs: 3_000, uploadsAtOnce: 1 });
  const first = slots.begin("account", false);
  slots.begin("other", false);
  assert.throws(() => slots.begin("account", false), tooEarly(3));
  clock.wait(3_000);
  assert.throws(() => slots.begin("account", false), tooEarly(5));
  first[Symbol.dispose]();
  slots.begin("account", false);
});

test("a retry neither waits nor makes others wait; one that was none counts, and the account's next retries wait for a minute", () => {
  const clock = clockAt();
  const slots = new UploadSlots(clock, { uploadEveryMs: 3_000, uploadsAtOnce: 2 });
  const upload = (isRetry: boolean, isReplay = false) => {
    using slot = slots.begin("account", isRetry);
    slot.settle(isReplay);
    slot.settle(false); // what came of it is said once
  };
  upload(false);
  for (let retry = 0; retry < 10; retry++) upload(true, true);
  clock.wait(3_000);
  upload(true, true);
  upload(false);
  clock.wait(2_000);
  upload(true, false);
  assert.throws(
    () => upload(true, true),
    tooEarly(3),
    "it counts as an upload that began when it was found out",
  );
  clock.wait(3_000);
  upload(true, true);
  assert.throws(() => upload(true, true), tooEarly(3), "it waits as any upload");
  assert.throws(() => upload(false), tooEarly(3));
  clock.wait(57_000);
  upload(true, true);
  upload(true, true);
});

test("what turns out to be no upload holds the pace while it is under way, and not after; it takes back nothing but its own", () => {
  const clock = clockAt();
  const slots = new UploadSlots(clock, { uploadEveryMs: 3_000, uploadsAtOnce: 9 });
  const none = slots.begin("account", false);
  assert.throws(() => slots.begin("account", false), tooEarly(3));
  none.withdraw();
  slots.begin("account", true).withdraw();
  const slow = slots.begin("account", false);
  clock.wait(3_000);
  slots.begin("account", false);
  slow.withdraw();
  assert.throws(() => slots.begin("account", false), tooEarly(3), "the upload that began since");
  slots.begin("account", true).settle(true);
});

test("a retry takes one of the account's slots", () => {
  const slots = new UploadSlots(clockAt(), { uploadEveryMs: 3_000, uploadsAtOnce: 1 });
  using _first = slots.begin("account", true);
  assert.throws(() => slots.begin("account", true), tooEarly(5));
});
