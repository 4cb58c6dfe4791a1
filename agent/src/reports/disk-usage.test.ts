import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { test } from "node:test";
import type { DiskUsed } from "../disk/project-disks.ts";
import { DiskUsage } from "./disk-usage.ts";

/** Makes a disk usage whose measurements end when the test says so. */
function bench(limits: Record<string, number> = {}) {
  const looks: { projectId: string; end: (used: DiskUsed) => void; fail: () => void }[] = [];
  const resized: [projectId: string, limitMb: number][] = [];
  const told: string[] = [];
  const usage = new DiskUsage({
    disks: {
      usage: (projectId) =>
        new Promise((end, reject) => looks.push({ projectId, end, fail: () => reject(new Error("no")) })),
      resize: async (projectId, limitMb) => {
        resized.push([projectId, limitMb]);
        return "later";
      },
    },
    limitOf: (projectId) => limits[projectId],
    tell: async (projectId) => told.push(projectId),
    logger: { warn: () => {} },
  });
  const end = async (usedMb: number, limitMb: number | null = null, more: Partial<DiskUsed> = {}) => {
    looks.shift()?.end({ usedMb, limitMb, full: null, ...more });
    for (let turns = 0; turns < 3; turns++) await turn();
  };
  return { usage, looks, resized, told, end, underWay: () => looks.map(({ projectId }) => projectId) };
}

/** Each has used the cpu since it was named last. */
let cpuUsec = 0;
const running = (...ids: string[]) => new Map(ids.map((id) => [id, { cpuUsec: ++cpuUsec }]));
const resting = (...ids: string[]) => new Map(ids.map((id) => [id, { cpuUsec: 0 }]));

test("disks are looked at one at a time, and again with each call", async () => {
  const { usage, end, underWay } = bench();
  await using _ = usage;
  usage.keepUp(running("a", "b"));
  usage.keepUp(running("a", "b"));
  assert.deepEqual([underWay(), usage.find("a")], [["a"], null]);
  await end(7);
  assert.deepEqual([underWay(), usage.find("a")], [["b"], 7]);
  await end(8);
  usage.keepUp(running("a", "b"));
  assert.deepEqual([underWay(), usage.find("a")], [["a"], 7], "the last value stays meanwhile");
  await end(9);
  await end(9);
});

test("what is at rest is looked at now and then, and at once when it is to have another limit", async () => {
  const limits: Record<string, number> = { a: 100 };
  const { usage, end, underWay } = bench(limits);
  await using _ = usage;
  const isLookedAt = async () => {
    usage.keepUp(resting("a"));
    const [looked] = underWay();
    await end(7, 100);
    return looked === "a";
  };
  assert.equal(await isLookedAt(), true, "the first time");
  const later: boolean[] = [];
  for (let call = 0; call < 12; call++) later.push(await isLookedAt());
  assert.equal(later.filter(Boolean).length, 2);
  limits.a = 200;
  assert.deepEqual([await isLookedAt(), await isLookedAt()], [true, false]);
});

test("a look that fails leaves the last value, and the next disk its turn", async () => {
  const { usage, looks, end, underWay } = bench();
  await using _ = usage;
  usage.keepUp(running("a"));
  await end(7);
  usage.keepUp(running("a", "b"));
  looks.shift()?.fail();
  await turn();
  assert.deepEqual([usage.find("a"), underWay()], [7, ["b"]]);
  await end(1);
  usage.keepUp(resting("a"));
  assert.deepEqual(underWay(), ["a"], "what failed is tried again, at rest too");
  await end(1);
});

test("a limit that is not the plan's is asked for once, and again only for another", async () => {
  const limits: Record<string, number> = { a: 200 };
  const { usage, resized, end } = bench(limits);
  await using _ = usage;
  for (const [wantedMb, times] of [
    [200, 1],
    [200, 1],
    [300, 2],
    [100, 2],
  ] as const) {
    limits.a = wantedMb;
    usage.keepUp(running("a"));
    await end(7, 100);
    assert.equal(resized.length, times);
  }
  assert.deepEqual(resized, [
    ["a", 200],
    ["a", 300],
  ]);
});

test("what does not run is forgotten; the end of the agent ends the looking", async () => {
  const { usage, end, underWay } = bench();
  usage.keepUp(running("a"));
  await end(7);
  usage.keepUp(running("b"));
  assert.equal(usage.find("a"), null);
  await end(1);
  await usage[Symbol.asyncDispose]();
  usage.keepUp(running("c"));
  assert.deepEqual(underWay(), []);
});

test("a disk that takes no more writes is told of once, and again when it was well in between or its project was started anew", async () => {
  const { usage, told, end } = bench();
  await using _ = usage;
  const look = async (isReadOnly: boolean) => {
    usage.keepUp(running("a"));
    await end(7, null, { isReadOnly });
  };
  for (const isReadOnly of [false, true, true]) await look(isReadOnly);
  assert.deepEqual(told, ["a"]);
  await look(false);
  await look(true);
  usage.keepUp(running());
  await look(true);
  assert.deepEqual(told, ["a", "a", "a"]);
});
