import assert from "node:assert/strict";
import { test } from "node:test";
import { keyChangeAt } from "./key-age.ts";

const day = 24 * 3_600_000;

for (const { title, planned, now, fraction, expected } of [
  { title: "a new key lasts 30 days", planned: null, now: 0, fraction: 0, expected: 30 * day },
  { title: "or up to 5 days less", planned: null, now: 0, fraction: 0.5, expected: 27.5 * day },
  {
    title: "what is planned stays planned",
    planned: 30 * day,
    now: 9 * day,
    fraction: 0,
    expected: 30 * day,
  },
  { title: "also when it has passed", planned: day, now: 900 * day, fraction: 0, expected: day },
  {
    title: "a clock that was set back begins the time anew",
    planned: 400 * day,
    now: 2 * day,
    fraction: 0,
    expected: 32 * day,
  },
])
  test(`the key's age: ${title}`, () =>
    assert.equal(
      keyChangeAt(planned, now, () => fraction),
      expected,
    ));
