import assert from "node:assert/strict";
import { test } from "node:test";
import { Arrivals } from "./arrivals.ts";

test("a flood is handed on twenty times a second at most, and is not calm", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const handed: number[] = [];
  const calm: boolean[] = [];
  const arrivals = new Arrivals({
    onAdded: ({ length }) => handed.push(length),
    onCalm: (isCalm) => calm.push(isCalm),
  });
  for (let ms = 0; ms < 1_000; ms++) {
    arrivals.add([{ kind: "gap", at: "", droppedLines: 1 }]);
    context.mock.timers.tick(1);
  }
  arrivals.end();
  assert.ok(handed.length <= 20, `${handed.length} times`);
  assert.equal(
    handed.reduce((sum, count) => sum + count, 0),
    1_000,
  );
  assert.equal(calm.at(-1), false);
});

test("what comes rarely is calm again", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const calm: boolean[] = [];
  const arrivals = new Arrivals({ onAdded: () => {}, onCalm: (isCalm) => calm.push(isCalm) });
  for (let second = 0; second < 3; second++) {
    arrivals.add([{ kind: "gap", at: "", droppedLines: 1 }]);
    context.mock.timers.tick(1_100);
  }
  arrivals.end();
  assert.deepEqual(new Set(calm), new Set([true]));
});
