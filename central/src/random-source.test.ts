import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandomSource } from "./random-source.ts";

test("no byte is given out twice, and what was given out stays as it was", () => {
  const random = createRandomSource();
  const given = Array.from({ length: 2_000 }, (_, index) => random(1 + (index % 16)));
  const copies = given.map((bytes) => Buffer.from(bytes).toString("hex"));
  for (let index = 0; index < 2_000; index++) random(10);
  assert.deepEqual(
    given.map((bytes) => Buffer.from(bytes).toString("hex")),
    copies,
  );
  const long = copies.filter((text) => text.length >= 20);
  assert.equal(new Set(long).size, long.length);
  assert.deepEqual([random(10).length, random(32).length, random(0).length], [10, 32, 0]);
});
