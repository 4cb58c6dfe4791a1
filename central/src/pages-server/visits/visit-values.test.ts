import assert from "node:assert/strict";
import { test } from "node:test";
import { methodOf, pathOf, referrerOf, statusOf } from "./visit-values.ts";

test("a path has no query, at most 128 characters, and nothing that is not printable", () => {
  assert.equal(pathOf("/a/b?token=secret#x"), "/a/b");
  assert.equal(pathOf("http://site.example/a?b"), "/a");
  assert.equal(pathOf(`/${"x".repeat(1e6)}`).length, 128);
  assert.equal(pathOf("/a\nb\u{1b}[31m\0c"), "/a\u{fffd}b\u{fffd}[31m\u{fffd}c");
  assert.equal(pathOf(""), "/");
  assert.equal(pathOf("?x"), "/");
});

test("of a referrer the host alone is kept, and not the site's own", () => {
  assert.equal(referrerOf("https://News.Example:8443/item?id=1", "site.example"), "news.example");
  assert.equal(referrerOf("https://site.example/other", "site.example:8081"), null);
  for (const text of [
    "",
    "javascript:alert(1)",
    "android-app://x",
    "https://a\nb/",
    "https://user:pass@host/",
    "//x",
  ])
    assert.equal(referrerOf(text, "site.example"), null, text);
});

test("methods and statuses that nobody knows are one", () => {
  assert.deepEqual(["GET", "BREW", "g\nt"].map(methodOf), ["GET", "OTHER", "OTHER"]);
  assert.deepEqual([200, 999, -1, Number.NaN].map(statusOf), ["200", "-", "-", "-"]);
});
