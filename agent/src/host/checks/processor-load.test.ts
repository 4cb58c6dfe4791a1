import assert from "node:assert/strict";
import { test } from "node:test";
import { ProcessorLoad } from "./processor-load.ts";

test("the load of the processors is a share of the time since the last look", () => {
  const load = new ProcessorLoad();
  const endAtMs = performance.now() + 200;
  while (performance.now() < endAtMs) Math.sqrt(endAtMs);
  const busy = load.read();
  assert.ok(busy > 0 && busy <= 100, `${busy} % after a busy while`);
  const next = load.read();
  assert.ok(next >= 0 && next <= 100, `${next} % right after`);
});
