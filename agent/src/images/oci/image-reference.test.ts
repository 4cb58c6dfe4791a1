import assert from "node:assert/strict";
import { test } from "node:test";
import { imageReference } from "@tijolo/protocol";
import { formatImageReference, parseImageReference } from "./image-reference.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

const readAs: [text: string, full: string][] = [
  ["node", "docker.io/library/node:latest"],
  ["node:24-slim", "docker.io/library/node:24-slim"],
  ["team/app", "docker.io/team/app:latest"],
  ["docker.io/node", "docker.io/library/node:latest"],
  ["index.docker.io/team/app:v1", "docker.io/team/app:v1"],
  ["localhost/app", "localhost/app:latest"],
  ["localhost:5000/app:v1", "localhost:5000/app:v1"],
  ["127.0.0.1:5000/a/b/c", "127.0.0.1:5000/a/b/c:latest"],
  ["[::1]:5000/app", "[::1]:5000/app:latest"],
  ["Registry.Example/app", "registry.example/app:latest"],
  [`registry.example:5000/team/app:v2@${digest}`, `registry.example:5000/team/app:v2@${digest}`],
  [`app@${digest}`, `docker.io/library/app@${digest}`],
];

test("a reference is read with the defaults of Docker", () => {
  for (const [text, full] of readAs) {
    assert.equal(formatImageReference(parseImageReference(text)), full, text);
    assert.equal(formatImageReference(parseImageReference(full)), full, full);
  }
});

test("what is not a reference is refused with the reason", () => {
  const wrong: [text: string, why: RegExp][] = [
    ["", /name is malformed/],
    ["App", /lower case/],
    ["app:", /tag is malformed/],
    ["app:v 1", /tag is malformed/],
    ["app@sha256:12", /64 hexadecimal/],
    [`app@md5:${"0".repeat(64)}`, /64 hexadecimal/],
    [`app@${digest}@${digest}`, /more than one @/],
    ["a//b", /name is malformed/],
    ["../etc/passwd", /malformed/],
    ["registry.example/../x", /name is malformed/],
    ["https://registry.example/app", /malformed/],
    ["user@registry.example/app", /64 hexadecimal/],
    ["-registry.example/app", /registry is malformed/],
    [`a/${"b".repeat(300)}`, /longer than/],
    ["app\n", /malformed/],
    ["app?x=1", /malformed/],
  ];
  for (const [text, why] of wrong)
    assert.throws(
      () => parseImageReference(text),
      { name: "OciError", kind: "reference", message: why },
      text,
    );
});

test("what operators may set is a reference, and what is none is refused there already", () => {
  for (const [text] of readAs) assert.equal(imageReference.safeParse(text).success, true, text);
  for (const text of [
    "",
    "App",
    "app:",
    "app:v 1",
    "app@sha256:12",
    "a//b",
    "../etc/passwd",
    "https://registry.example/app",
    "app\n",
  ]) {
    assert.equal(imageReference.safeParse(text).success, false, text);
  }
});
