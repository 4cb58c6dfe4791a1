import assert from "node:assert/strict";
import { test } from "node:test";
import { VisitorSketch, valueSketch, windowSketch } from "./visitor-sketch.ts";

/** Evenly distributed numbers of 32 bits, the same in each run (mulberry32). */
function hashes(count: number, seed = 1): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  });
}

function sketchOf(list: readonly number[], size = windowSketch): VisitorSketch {
  const sketch = new VisitorSketch(size);
  for (const hash of list) sketch.add(hash);
  return sketch;
}

const isNear = (estimate: number, truth: number, share: number) =>
  assert.ok(Math.abs(estimate - truth) <= share * truth, `${estimate} is not near ${truth}`);

test("few visitors are counted exactly, each once", () => {
  const list = hashes(256);
  assert.equal(sketchOf([...list, ...list]).estimate(), 256);
  assert.equal(sketchOf([]).estimate(), 0);
});

test("many visitors are estimated within three standard errors", () => {
  for (const count of [257, 1_000, 10_000, 100_000, 1_000_000]) {
    isNear(sketchOf(hashes(count)).estimate(), count, 0.07);
    isNear(sketchOf(hashes(count), valueSketch).estimate(), count, 0.28);
  }
});

test("merged sketches count who is in both once, whatever their forms", () => {
  for (const [one, other] of [
    [10, 20],
    [10, 5_000],
    [5_000, 10],
    [3_000, 5_000],
  ] as const) {
    const merged = sketchOf(hashes(one));
    merged.merge(sketchOf(hashes(other)));
    const both = sketchOf([...hashes(one), ...hashes(other)]);
    assert.equal(merged.estimate(), both.estimate());
    assert.equal(merged.estimate(), sketchOf(hashes(Math.max(one, other))).estimate());
  }
});

test("a sketch is the same after its text was read", () => {
  for (const count of [0, 1, 256, 300, 50_000]) {
    const text = sketchOf(hashes(count)).encode();
    assert.match(text, /^[\x20-\x7e]+$/);
    assert.equal(VisitorSketch.decode(text, windowSketch).encode(), text);
  }
});

test("text that is no sketch is an empty one, and no text makes an impossible estimate", () => {
  for (const text of ["", "?", "#short", "=12"])
    assert.equal(VisitorSketch.decode(text, windowSketch).estimate(), 0);
  const wild = VisitorSketch.decode(`#${"\u{ffff}".repeat(2_048)}`, windowSketch);
  assert.ok(Number.isFinite(wild.estimate()) || wild.estimate() === Infinity);
});
