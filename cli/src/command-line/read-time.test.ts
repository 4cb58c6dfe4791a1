import assert from "node:assert/strict";
import { before, test } from "node:test";
import { loadMessages, type Messages } from "../messages.ts";
import { readTime } from "./read-time.ts";

let now: { nowMs: number; messages: Messages };
before(async () => {
  now = { nowMs: Date.parse("2026-01-31T12:00:00Z"), messages: await loadMessages("pt") };
});

test("a time ago, or a date, becomes a moment in UTC", () => {
  assert.equal(readTime(undefined, "--since", now), undefined);
  assert.equal(readTime("90s", "--since", now), "2026-01-31T11:58:30.000Z");
  assert.equal(readTime("2h", "--since", now), "2026-01-31T10:00:00.000Z");
  assert.equal(readTime("7d", "--since", now), "2026-01-24T12:00:00.000Z");
  assert.equal(readTime("2026-01-30T08:00:00-03:00", "--since", now), "2026-01-30T11:00:00.000Z");
  assert.equal(readTime("2026-01-30", "--since", now), new Date(2026, 0, 30).toISOString());
});

test("anything else is refused with what may be said", () => {
  for (const text of ["", "2", "h", "2w", "yesterday", "2026-13-01", "-2h", "1"]) {
    assert.throws(
      () => readTime(text, "--since", now),
      { name: "UsageError", message: /--since.*30m/ },
      text,
    );
  }
});
