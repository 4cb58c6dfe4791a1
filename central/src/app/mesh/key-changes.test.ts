import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../test/support/until.ts";
import type { JudgedHost } from "./judge-hosts.ts";
import { KeyChanges, patienceMs } from "./key-changes.ts";

const sinceMs = 1_000;

/** Hosts `a` and `b`, neighbours of each other; `a` has a next key. */
function open(lookEveryMs = 1_000_000) {
  const clock = {
    nowMs: sinceMs,
    now() {
      return this.nowMs;
    },
  };
  const judged = { state: "none", clashesWith: null } as const;
  const row = { createdAt: 0, givenRange: null, machine: null, hasGateway: false };
  const own = { key: "k", port: 1, range: "10.0.0.0/21", address: null, next: { key: "next", sinceMs } };
  const a: JudgedHost = { ...row, ...judged, id: "a", name: "a", own };
  const b: JudgedHost = { ...row, ...judged, id: "b", name: "b", own: { ...own, next: null } };
  const notified: string[] = [];
  const changes = new KeyChanges({
    clock,
    lookEveryMs,
    hosts: () => new Map([a, b].map((host) => [host.id, host])),
    neighboursOf: (hostId) => new Set(hostId === "a" ? ["b"] : ["a"]),
    notify: (hostIds) => notified.push(...hostIds),
  });
  return { a, b, clock, changes, notified, now: () => changes.keyToUse(a, [b]) };
}

for (const { title, letIn, nowMs, expected } of [
  { title: "waits for its neighbours", letIn: ["other"], nowMs: sinceMs + patienceMs - 1, expected: null },
  { title: "may be used once they let it in", letIn: ["other", "next"], nowMs: sinceMs, expected: "next" },
  {
    title: "is not held up for longer than a week",
    letIn: [],
    nowMs: sinceMs + patienceMs,
    expected: "next",
  },
  { title: "waits while the clock is set back", letIn: [], nowMs: 0, expected: null },
])
  test(`a next key ${title}`, () => {
    const { changes, clock, now } = open();
    clock.nowMs = nowMs;
    changes.setLetIn("b", {}, letIn);
    assert.equal(now(), expected);
    changes[Symbol.dispose]();
  });

test("a host without a next key keeps its own, and one without neighbours waits for nobody", () => {
  const sample = open();
  using changes = sample.changes;
  const { a, b } = sample;
  assert.deepEqual(
    [changes.keyToUse(b, [a]), changes.keyToUse(undefined, []), changes.keyToUse(a, [])],
    [null, null, "next"],
  );
});

test("what a host lets in counts until its connection ends", () => {
  const { changes, notified, now } = open();
  const connection = {};
  changes.setLetIn("b", connection, ["next"]);
  assert.deepEqual([now(), notified], ["next", ["a"]]);
  changes.clearLetIn("b", connection);
  assert.deepEqual([now(), notified], [null, ["a", "a"]]);
  changes[Symbol.dispose]();
});

test("the end of a connection does not clear what a newer one has reported", () => {
  const { changes, notified, now } = open();
  const [older, newer] = [{}, {}];
  changes.setLetIn("b", older, ["next"]);
  changes.setLetIn("b", newer, ["next"]);
  changes.clearLetIn("b", older);
  assert.deepEqual([now(), notified], ["next", ["a", "a"]]);
  changes[Symbol.dispose]();
});

test("a host with a next key is notified at each look at the clock, and one without is not", async () => {
  const { changes, notified } = open(5);
  await until(() => notified.includes("a"));
  assert.ok(!notified.includes("b"));
  changes[Symbol.dispose]();
});
