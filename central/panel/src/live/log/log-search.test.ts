import assert from "node:assert/strict";
import { test } from "node:test";
import { readLogSearch } from "./log-search.ts";

test("an address says what it knows, and the rest is left out", () => {
  const typed = {
    section: "app",
    stream: "x",
    version: 3,
    q: 123,
    since: "1h",
    from: "2026-01-01T00:00:00Z",
  };
  assert.deepEqual(readLogSearch(typed), {
    section: "app",
    version: 3,
    q: "123",
    since: "1h",
    from: "2026-01-01T00:00:00.000Z",
  });
  const wrong = { since: "__proto__", q: "x".repeat(201), version: -1, until: "soon", line: {} };
  assert.deepEqual(readLogSearch(wrong), {});
});
