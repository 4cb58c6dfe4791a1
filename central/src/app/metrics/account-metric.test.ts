/** Tests the sparklines of an account against the true usage of its projects. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sparklineRanges, sparklineSteps } from "@tijolo/protocol";
import { openMetrics } from "../../store/sqlite/open-metrics.ts";
import { readAccountMetrics } from "./account-metric.ts";
import { condenseMetrics, writeMetrics } from "./metric-keeping.ts";
import { OpenSteps } from "./open-steps.ts";

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 0, 1);

/** Central's metrics alone, on a clock of their own. */
async function bench() {
  const opened = await openMetrics(":memory:");
  const time = { ms: startMs };
  return {
    metrics: opened.metrics,
    openSteps: new OpenSteps(),
    clock: { now: () => time.ms },
    time,
    /** Every 15 s each of these projects uses this much memory and half a core. */
    async runFor(ms: number, memoryOf: ReadonlyMap<string, number>) {
      for (const endMs = time.ms + ms; time.ms < endMs;) {
        time.ms += 15_000;
        for (const [projectId, memoryMb] of memoryOf) {
          const sums = {
            coveredMs: 15_000,
            memoryMbMs: memoryMb * 15_000,
            cpuUsec: 7_500_000,
            networkInBytes: 0,
            networkOutBytes: 0,
            diskMb: null,
          };
          this.openSteps.add({ projectId, sums }, time.ms);
        }
        await writeMetrics(this);
        await condenseMetrics(this);
      }
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

test("every project has as many points, a gap is null, and the newest point is still open", async () => {
  await using app = await bench();
  await app.runFor(hourMs, new Map([["p1", 100]]));
  await app.runFor(10 * 60_000, new Map());
  await app.runFor(10 * 60_000, new Map([["p1", 300]]));
  const { from, stepSeconds, projects } = await readAccountMetrics(app, ["p1", "p2"], "1h");
  assert.deepEqual([stepSeconds, from], [120, "2026-01-01T00:22:00.000Z"]);
  const [first, second] = projects;
  assert.deepEqual(first?.memoryMb, [
    ...Array.from({ length: 19 }, () => 100),
    ...Array.from({ length: 5 }, () => null),
    ...Array.from({ length: 5 }, () => 300),
    null, // begins now
  ]);
  assert.deepEqual(first?.cpuPercent.slice(0, 2), [50, 50]);
  assert.deepEqual(
    [second?.id, second?.memoryMb.length, new Set(second?.memoryMb)],
    ["p2", 30, new Set([null])],
  );
  const day = await readAccountMetrics(app, ["p1"], "24h");
  assert.deepEqual(day.projects[0]?.memoryMb.slice(-3), [null, 100, 300]);
});

test("five hundred projects are read in a few statements, and each has its own values", async () => {
  await using app = await bench();
  const memoryOf = new Map(Array.from({ length: 500 }, (_, index) => [`p${index}`, index + 1]));
  await app.runFor(5 * 60_000, memoryOf);
  await writeMetrics(app, { isLast: true });
  let statements = 0;
  const counted = app.metrics.withPlugin({
    transformQuery: ({ node }) => {
      statements++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const reading = { ...app, metrics: Object.assign(counted, { projectNumbers: app.metrics.projectNumbers }) };
  for (const range of sparklineRanges) {
    statements = 0;
    const { projects } = await readAccountMetrics(reading, [...memoryOf.keys()], range);
    assert.ok(statements > 0 && statements <= 15, `${statements} statements`);
    assert.equal(projects.length, 500);
    for (const { id, memoryMb } of projects) {
      assert.equal(memoryMb.length, sparklineSteps[range].points);
      const known = memoryMb.filter((value) => value !== null);
      assert.ok(known.length > 0 && known.every((value) => value === memoryOf.get(id)), id);
    }
  }
});
