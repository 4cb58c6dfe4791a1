import assert from "node:assert/strict";
import { test } from "node:test";
import { keptValues, topCounters, TopValues } from "./top-values.ts";

function topOf(values: Iterable<string>): TopValues {
  const top = new TopValues();
  for (const value of values) top.count(value, 10, null);
  return top;
}

const requestsOf = (top: TopValues) => top.list(topCounters).map(({ value, requests }) => [value, requests]);

test("few values are counted exactly, with their bytes and visitors", () => {
  const top = new TopValues();
  for (const visitor of [1, 1, 2]) top.count("/", 100, visitor);
  top.count("/about", 5, 1);
  assert.deepEqual(top.list(10), [
    { value: "/", visits: 2, requests: 3, bytes: 300 },
    { value: "/about", visits: 1, requests: 1, bytes: 5 },
  ]);
});

test("a frequent value stays among a million that come once, and no count is too high", () => {
  const top = new TopValues();
  let truth = 0;
  for (let index = 0; index < 1_000_000; index++) {
    top.count(`/once/${index}`, 1, null);
    if (index % 20 === 0) {
      top.count("/often", 1, null);
      truth += 1;
    }
  }
  const [first, second] = top.list(2);
  assert.equal(first?.value, "/often");
  assert.ok(first.requests <= truth && first.requests > 0.9 * truth, `${first.requests} of ${truth}`);
  assert.equal(second?.requests, 1);
  assert.equal(top.list(1_000).length, topCounters);
});

test("merged tops have the sums, also of values that only one of them has", () => {
  const top = topOf(["a", "a", "b"]);
  top.merge(topOf(["b", "c"]));
  assert.deepEqual(requestsOf(top), [
    ["a", 2],
    ["b", 2],
    ["c", 1],
  ]);
});

test("a frequent value stays in tops that are merged a thousand times and cut in between", () => {
  let merged = new TopValues();
  for (let round = 0; round < 1_000; round++) {
    const values = Array.from({ length: 200 }, (_, index) => `/${round}/${index}`);
    merged.merge(topOf([...values, ...Array<string>(40).fill("/often")]));
    merged = TopValues.decode(merged.encode());
  }
  merged.keep(keptValues);
  const [first, second] = merged.list(keptValues + 1);
  assert.deepEqual(first && [first.value, first.requests], ["/often", 40_000]);
  assert.equal(second?.requests, 1);
  assert.equal(merged.list(100).length, keptValues);
});

test("a top is the same after its text was read", () => {
  const top = topOf(["a", "b", "b"]);
  assert.deepEqual(
    TopValues.decode(JSON.parse(JSON.stringify(top.encode())) as never).encode(),
    top.encode(),
  );
});
