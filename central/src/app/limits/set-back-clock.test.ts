/** No block, pause or window lasts longer, or ends earlier, because the clock was set back. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "@tijolo/protocol";
import { TestClock } from "../../../../test/support/cluster/test-clock.ts";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import type { Database } from "../../store/store.ts";
import { Attempts } from "./attempts.ts";
import { LogStreamSlots } from "./log-stream-slots.ts";
import { RequestRates } from "./request-rates.ts";
import { SessionRates } from "./session-rates.ts";
import { UploadSlots } from "./upload-slots.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** One kind of window: what is refused until `lengthMs` after `fill`. */
interface Kind {
  name: string;
  lengthMs: number;
  fill: () => unknown;
  isRefused: () => boolean | Promise<boolean>;
}

function throwsRefusal(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}

async function kindsOn(clock: TestClock): Promise<{ kinds: Kind[] } & AsyncDisposable> {
  const opened = await openDatabase(":memory:");
  const kinds = [...attemptKinds(clock), ...paceKinds(clock), ...rateKinds(clock, opened.db)];
  return { kinds, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

function attemptKinds(clock: TestClock): Kind[] {
  const attempts = () => new Attempts(clock, { windowMs: 10 * minuteMs, blockMs: 15 * minuteMs });
  const [blocked, counted] = [attempts(), attempts()];
  const wrong = { key: "a", limit: 3 };
  return [
    {
      name: "the block after too many wrong attempts",
      lengthMs: 15 * minuteMs,
      fill: () => [1, 2, 3].forEach(() => blocked.noteWrong(wrong)),
      isRefused: () =>
        blocked
          .guess([wrong], async () => true)
          .then(
            () => false,
            () => true,
          ),
    },
    {
      name: "the window in which wrong attempts count",
      lengthMs: 10 * minuteMs,
      fill: () => [1, 2].forEach(() => counted.noteWrong(wrong)),
      isRefused: async () => {
        // Full with one that is pending, so that looking changes nothing.
        let isFull = true;
        const pending = counted.guess([wrong], async () => {
          isFull = await counted
            .guess([wrong], async () => true)
            .then(
              () => false,
              () => true,
            );
          return true;
        });
        await pending;
        return isFull;
      },
    },
  ];
}

function paceKinds(clock: TestClock): Kind[] {
  const logs = new LogStreamSlots(clock, { logOpenEveryMs: 5_000, logStreamsAtOnce: 9 });
  const uploads = new UploadSlots(clock, { uploadEveryMs: 3_000, uploadsAtOnce: 9 });
  const forfeits = new UploadSlots(clock, { uploadEveryMs: 3_000, uploadsAtOnce: 9 });
  return [
    {
      name: "the pause between openings of a log",
      lengthMs: 5_000,
      fill: () => logs.open("a", "p"),
      isRefused: () => throwsRefusal(() => logs.open("a", "p")),
    },
    {
      name: "the pause between uploads",
      lengthMs: 3_000,
      fill: () => uploads.begin("a", false),
      isRefused: () => throwsRefusal(() => uploads.begin("a", false)),
    },
    {
      name: "the time in which retries are paced",
      lengthMs: minuteMs,
      fill: () => forfeits.begin("a", true).settle(false),
      isRefused: () => {
        if (throwsRefusal(() => forfeits.begin("a", true).withdraw())) return true;
        // Past the pause itself: it is paced if a second one at once is refused.
        return throwsRefusal(() => [1, 2].forEach(() => forfeits.begin("a", true).settle(true)));
      },
    },
  ];
}

function rateKinds(clock: TestClock, db: Database): Kind[] {
  const sessions = new SessionRates(clock, { sessionRequestsPerMinute: 1 });
  const rates = new RequestRates(db, clock);
  const wide = 1_000_000;
  const perMinute = { requestsPerMinute: 1, requestsPerDay: wide };
  const perDay = { requestsPerMinute: wide, requestsPerDay: 1 };
  return [
    {
      name: "a session's requests per minute",
      lengthMs: minuteMs,
      fill: () => sessions.take("s"),
      isRefused: () => sessions.take("s") !== null,
    },
    {
      name: "an account's requests per minute",
      lengthMs: minuteMs,
      fill: () => rates.take("m", perMinute),
      isRefused: async () => (await rates.take("m", perMinute)).retryAfterSeconds !== null,
    },
    {
      name: "an account's requests per day",
      lengthMs: dayMs,
      fill: () => rates.take("d", perDay),
      isRefused: async () => (await rates.take("d", perDay)).retryAfterSeconds !== null,
    },
  ];
}

test("a clock that is set back by an hour neither prolongs nor ends what is refused for a while", async (t) => {
  const clock = new TestClock();
  clock.hold();
  await using all = await kindsOn(clock);
  for (const { name, lengthMs, fill, isRefused } of all.kinds) {
    await t.test(name, async () => {
      await fill();
      assert.equal(await isRefused(), true, "it is full");
      clock.setBack(hourMs);
      assert.equal(await isRefused(), true, "it is not over yet");
      clock.advance(lengthMs - 1_000);
      assert.equal(await isRefused(), true, "a second is left");
      clock.advance(1_000);
      assert.equal(await isRefused(), false, "its time is over");
    });
  }
});
