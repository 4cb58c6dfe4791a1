import assert from "node:assert/strict";
import { test } from "node:test";
import { isShown, readAccountSearch } from "./account-search.ts";

test("an address gives the filters it names, and nothing else", () => {
  assert.deepEqual(readAccountSearch({ q: " ana ", plan: "Free", state: "suspended" }), {
    q: "ana",
    plan: "Free",
    state: "suspended",
  });
  assert.deepEqual(readAccountSearch({ q: " ", plan: 3, state: "odd" }), {});
});

test("plan and state let an account through together", () => {
  const account = { plan: "Free", suspendedAt: "2026-01-01T00:00:00.000Z" } as const;
  assert.equal(isShown(account, {}), true);
  assert.equal(isShown(account, { plan: "Free", state: "suspended" }), true);
  assert.equal(isShown(account, { plan: "Stack" }), false);
  assert.equal(isShown(account, { state: "good" }), false);
});
