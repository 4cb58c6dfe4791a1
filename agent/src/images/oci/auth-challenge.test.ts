import assert from "node:assert/strict";
import { test } from "node:test";
import { findChallenge } from "./auth-challenge.ts";

test("the realm, service and scope of a token challenge are read, quoted or not, in any order", () => {
  const expected = {
    scheme: "bearer",
    realm: "https://auth.example/token?a=b",
    service: "registry",
    scope: "repository:a/b:pull,push",
  };
  for (const header of [
    'Bearer realm="https://auth.example/token?a=b",service="registry",scope="repository:a/b:pull,push"',
    'bearer service=registry , scope="repository:a/b:pull,push", REALM="https://auth.example/token?a=b"',
    'Basic realm="x", Bearer realm="https://auth.example/token?a=b",service="registry",scope="repository:a/b:pull,push"',
  ])
    assert.deepEqual(findChallenge([header]), expected, header);
  assert.deepEqual(findChallenge(['Bearer realm="a\\"b"']), {
    scheme: "bearer",
    realm: 'a"b',
    service: null,
    scope: null,
  });
});

test("empty elements of the list are passed over", () => {
  const expected = { scheme: "bearer", realm: "a", service: "b", scope: null };
  for (const header of [' , Bearer realm="a" ,  service=b', 'Basic,, , Bearer realm=a,,service="b",']) {
    assert.deepEqual(findChallenge([header]), expected, header);
  }
});

test("headers that are no challenge are read in no more time than their length", () => {
  const headers = [
    `${" ".repeat(4000)}${"a".repeat(4000)}"`,
    `Basic${" ".repeat(4000)}a${" ".repeat(4000)}"`,
    `${"a, ".repeat(2700)}"`,
  ];
  const startedAtMs = performance.now();
  findChallenge(Array.from({ length: 100 }, () => headers).flat());
  const tookMs = performance.now() - startedAtMs;
  assert.ok(tookMs < 10_000, `${tookMs} ms`);
});

test("basic is answered where nothing better is offered, anything else is not", () => {
  assert.deepEqual(findChallenge(["Negotiate", 'Basic realm="registry"']), { scheme: "basic" });
  assert.deepEqual(findChallenge(["Basic"]), { scheme: "basic" });
  for (const header of [
    "",
    "Negotiate",
    "Bearer",
    "Bearer service=x",
    '"',
    `Bearer realm="${"a".repeat(9000)}"`,
  ]) {
    assert.equal(findChallenge([header]), undefined, header.slice(0, 40));
  }
});
