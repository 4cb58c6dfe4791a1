import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointsOf, isAllowed, parseMirrors } from "./registry-endpoint.ts";

const none = { mirrors: new Map(), insecureHosts: new Set<string>() };

test("a registry is asked by https, on loopback and where the operator said so by http", () => {
  const origin = (registry: string, insecure: string[] = []) =>
    endpointsOf(registry, { ...none, insecureHosts: new Set(insecure) }).map((endpoint) => endpoint.origin);
  assert.deepEqual(origin("docker.io"), ["https://registry-1.docker.io"]);
  assert.deepEqual(origin("registry.example:5000"), ["https://registry.example:5000"]);
  assert.deepEqual(origin("registry.example:5000", ["registry.example:5000"]), [
    "http://registry.example:5000",
  ]);
  assert.deepEqual(origin("registry.example", ["registry.example:5000"]), ["https://registry.example"]);
  for (const host of ["localhost:5000", "127.0.0.1:5000", "127.8.8.8", "[::1]:5000"])
    assert.deepEqual(origin(host), [`http://${host}`]);
  assert.deepEqual(origin("127.0.0.1.example"), ["https://127.0.0.1.example"]);
});

test("mirrors come first, in order, each with credentials of its own", () => {
  const mirrors = parseMirrors(
    "docker.io=https://one.example/hub/, docker.io=http://127.0.0.1:5001,ghcr.io=https://two.example",
  );
  assert.ok(mirrors !== undefined);
  const [first, second, own] = endpointsOf("docker.io", { ...none, mirrors });
  assert.deepEqual(first, {
    origin: "https://one.example",
    repositoryPrefix: "hub/",
    credentialHost: "one.example",
  });
  assert.deepEqual(second, {
    origin: "http://127.0.0.1:5001",
    repositoryPrefix: "",
    credentialHost: "127.0.0.1:5001",
  });
  assert.equal(own?.credentialHost, "docker.io");
  assert.throws(
    () => endpointsOf("x.io", { ...none, mirrors: new Map([["x.io", ["http://far.example"]]]) }),
    /without TLS/,
  );
});

test("a malformed list of mirrors is told from a good one", () => {
  for (const text of [
    "docker.io",
    "docker.io=",
    "docker.io=ftp://x",
    "=https://x",
    "a=https://user:word@x",
    "a=https://x,,",
    "a=https://x?y",
  ]) {
    assert.equal(parseMirrors(text), undefined, text);
  }
});

test("no other scheme than https and allowed http is asked", () => {
  for (const address of ["http://far.example/", "file:///etc/passwd", "ftp://127.0.0.1/"])
    assert.equal(isAllowed(new URL(address), none), false);
  for (const address of ["https://far.example/", "http://127.0.0.1/"])
    assert.equal(isAllowed(new URL(address), none), true);
});
