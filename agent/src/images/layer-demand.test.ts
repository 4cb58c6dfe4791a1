import assert from "node:assert/strict";
import { test } from "node:test";
import { LayerDemand } from "./layer-demand.ts";

test("a layer is wanted while somebody waits for it, and for a while after", () => {
  const clock = { at: 0 };
  const demand = new LayerDemand(() => clock.at);
  const releases = [demand.hold(["a", "b"]), demand.hold(["a"])];
  clock.at = 1_000;
  assert.ok(demand.isWanted("a", 5_000), "somebody waits");
  releases[1]?.();
  assert.ok(demand.isWanted("a", 5_000), "the other one does");
  releases[0]?.();
  assert.ok(demand.isWanted("a", 999));
  assert.ok(!demand.isWanted("a", 1_000));
  assert.ok(!demand.isWanted("c", 0));
});

test("layers that are asked for without a wait are listed for as long", () => {
  const clock = { at: 1_000 };
  const demand = new LayerDemand(() => clock.at);
  demand.note(["a", "b"]);
  clock.at = 2_000;
  demand.hold(["b", "c"]);
  assert.deepEqual(demand.listWanted(999), ["a", "b", "c"]);
  assert.deepEqual(demand.listWanted(3_000), ["b", "c"], "somebody waits for them");
  assert.deepEqual([demand.isWaitedFor("a"), demand.isWaitedFor("b")], [false, true]);
});

test("what was asked for long ago is forgotten, whether it ever became a layer or not", () => {
  const clock = { at: 0 };
  const demand = new LayerDemand(() => clock.at);
  const held = demand.hold(["held"]);
  for (let count = 0; count < 1_000; count += 1) {
    clock.at += 1;
    demand.hold([`layer-${count}`])();
    demand.forget(clock.at - 10);
    assert.ok(demand.size <= 11, `${demand.size} are remembered`);
  }
  assert.ok(demand.isWanted("held", clock.at));
  held();
  assert.ok(demand.isWanted("layer-999", 999));
});
