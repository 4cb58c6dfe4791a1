/** Tests metrics on their way through memory, file and tiers, against the true usage. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { metricRanges, type MetricRange } from "@tijolo/protocol";
import type { MetricDatabase } from "../../store/metrics/schema.ts";
import { openMetrics } from "../../store/sqlite/open-metrics.ts";
import { condenseMetrics, writeMetrics } from "./metric-keeping.ts";
import { readMetrics } from "./metric.ts";
import { OpenSteps } from "./open-steps.ts";

const project = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const startMs = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;

/** Central's metrics alone, on a file and a clock of its own. */
async function bench(path = ":memory:") {
  const opened = await openMetrics(path);
  const time = { ms: startMs };
  return {
    metrics: opened.metrics,
    openSteps: new OpenSteps(),
    clock: { now: () => time.ms },
    time,
    /** Sends one report every five seconds, while the reconcilers do their work. */
    async runFor(
      ms: number,
      use: { cpuUsec: number; memoryMb: number; networkInBytes: number; diskMb?: number },
    ) {
      for (const endMs = time.ms + ms; time.ms < endMs;) {
        time.ms += 5_000;
        const { cpuUsec, memoryMb, networkInBytes, diskMb = null } = use;
        const sums = {
          coveredMs: 5_000,
          memoryMbMs: memoryMb * 5_000,
          cpuUsec,
          networkInBytes,
          networkOutBytes: 0,
          diskMb,
        };
        this.openSteps.add({ projectId: project, sums }, time.ms);
        await this.keep();
      }
    },
    async keep() {
      await writeMetrics(this);
      if (time.ms % 15_000 === 0) await condenseMetrics(this);
    },
    read(range: MetricRange) {
      return readMetrics(this, project, range);
    },
    total: (stepSeconds: number) => totalOf(opened.metrics, stepSeconds),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Bytes that came in by the rows of a tier, and the time they are about. */
async function totalOf(metrics: MetricDatabase, stepSeconds: number) {
  const rows = await metrics.selectFrom("step").selectAll().where("step_seconds", "=", stepSeconds).execute();
  const sum = (pick: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + pick(row), 0);
  return {
    bytes: sum((row) => row.network_in_bytes),
    coveredMs: sum((row) => row.covered_ms),
    rows: rows.length,
  };
}

test("every range shows the same use, also of the step that is open", async () => {
  await using app = await bench();
  app.time.ms += 7_000; // off the clock's grid
  await app.runFor(10_000, { cpuUsec: 2_500_000, memoryMb: 64, networkInBytes: 5_003, diskMb: 9 });
  for (const range of metricRanges) {
    const { points, stepSeconds } = await app.read(range);
    assert.ok(points.length === 1 || (range === "1h" && points.length === 2), range);
    for (const point of points) {
      assert.equal(Date.parse(point.at) % (stepSeconds * 1000), 0, "steps are aligned to the clock");
      assert.deepEqual(
        { ...point, at: "" },
        { at: "", memoryMb: 64, cpuPercent: 50, networkInBps: 1_001, networkOutBps: 0, diskMb: 9 },
        range,
      );
    }
  }
});

test("three hours end in tiers that all hold exactly what was used", async () => {
  await using app = await bench();
  await app.runFor(3 * hourMs, { cpuUsec: 1_000_001, memoryMb: 100, networkInBytes: 4_999 });
  await writeMetrics(app, { isLast: true });
  app.time.ms += 60_000;
  await condenseMetrics(app);
  const reports = (3 * hourMs) / 5_000;
  assert.deepEqual(await app.total(60), { bytes: reports * 4_999, coveredMs: 3 * hourMs, rows: 180 });
  assert.deepEqual(await app.total(300), { bytes: reports * 4_999, coveredMs: 3 * hourMs, rows: 36 });
  assert.deepEqual(await app.total(1_800), { bytes: reports * 4_999, coveredMs: 3 * hourMs, rows: 6 });
  assert.equal((await app.total(7_200)).rows, 1, "the second is still open");
  const finest = await app.total(15);
  assert.ok(
    finest.rows < 290 && finest.rows >= 240,
    `the finest are kept a little over an hour: ${finest.rows}`,
  );
  const { points } = await app.read("30d");
  assert.deepEqual(
    points.map(({ at, networkInBps }) => [at, networkInBps]),
    [
      ["2026-01-01T00:00:00.000Z", 1_000],
      ["2026-01-01T02:00:00.000Z", 1_000],
    ],
  );
});

test("averages are weighted by time, and a gap stays a gap", async () => {
  await using app = await bench();
  await app.runFor(45_000, { cpuUsec: 0, memoryMb: 100, networkInBytes: 0 });
  await app.runFor(15_000, { cpuUsec: 5_000_000, memoryMb: 300, networkInBytes: 50_000 });
  for (let seconds = 0; seconds < 600; seconds += 15) {
    app.time.ms += 15_000;
    await app.keep();
  }
  await app.runFor(60_000, { cpuUsec: 0, memoryMb: 50, networkInBytes: 0 });
  const { points } = await app.read("6h");
  assert.deepEqual(
    points.map(({ at, memoryMb, cpuPercent, networkInBps }) => [
      at.slice(11, 16),
      memoryMb,
      cpuPercent,
      networkInBps,
    ]),
    [
      ["00:00", 150, 25, 2_500],
      ["00:11", 50, 0, 0],
    ],
  );
});

test("a restart loses only what was open; a stop loses nothing", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-metrics-"));
  try {
    const path = join(directory, "metrics.sqlite");
    const use = { cpuUsec: 0, memoryMb: 1, networkInBytes: 100 };
    let reached: number;
    {
      await using killed = await bench(path);
      await killed.runFor(120_000, use);
      reached = killed.time.ms;
    }
    {
      await using stopped = await bench(path);
      const { bytes } = await stopped.total(15);
      assert.ok(
        bytes >= 2_400 - 500 && bytes < 2_400,
        `kill: what of the last 21 s was not yet written is gone, ${bytes} are there`,
      );
      stopped.time.ms = reached;
      await stopped.runFor(62_000, use);
      await writeMetrics(stopped, { isLast: true });
      assert.equal((await stopped.total(15)).bytes, bytes + 1_300);
      reached = stopped.time.ms;
    }
    await using after = await bench(path);
    after.time.ms = reached;
    const { bytes } = await after.total(15);
    await after.runFor(120_000, use);
    await writeMetrics(after, { isLast: true });
    after.time.ms += 120_000;
    await condenseMetrics(after);
    assert.deepEqual(
      [(await after.total(15)).bytes, (await after.total(60)).bytes],
      [bytes + 2_400, bytes + 2_400],
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test("central's clock an hour ahead and back corrupts nothing", async () => {
  await using app = await bench();
  const use = { cpuUsec: 1_250_000, memoryMb: 80, networkInBytes: 10_000 };
  await app.runFor(300_000, use);
  app.time.ms += hourMs;
  await app.runFor(300_000, use);
  app.time.ms -= hourMs;
  await app.runFor(300_000, use);
  app.time.ms -= hourMs;
  await app.runFor(300_000, use);
  app.time.ms += hourMs;
  await app.runFor(2 * hourMs, use);
  await writeMetrics(app, { isLast: true });
  app.time.ms += hourMs;
  await condenseMetrics(app);
  const reports = (4 * 300_000 + 2 * hourMs) / 5_000;
  assert.equal((await app.total(300)).bytes, reports * 10_000, "no report is lost or counted twice");
  for (const range of metricRanges) {
    for (const point of (await app.read(range)).points) {
      assert.deepEqual(
        [point.memoryMb, point.cpuPercent, point.networkInBps],
        [80, 25, 2_000],
        `${range} ${point.at}`,
      );
    }
  }
});

test("while nothing can be written, what waits is bounded, and is written afterwards", async () => {
  await using app = await bench();
  const use = { cpuUsec: 0, memoryMb: 1, networkInBytes: 100 };
  const unwritable = await bench();
  await unwritable[Symbol.asyncDispose]();
  app.time.ms += 7_000;
  await app.runFor(10_000, use);
  const broken = { ...app, metrics: unwritable.metrics };
  for (let attempt = 0; attempt < 3; attempt++)
    await assert.rejects(writeMetrics(broken, { isLast: true }), AggregateError);
  const kept = app.openSteps.find(project);
  assert.equal(kept.length, 2, "steps that could not be written are still there");
  assert.equal(
    kept.reduce((total, { sums }) => total + sums.networkInBytes, 0),
    200,
  );
  for (let count = 0; count < 1_000; count++) {
    app.time.ms += 15_000;
    const sums = {
      coveredMs: 5_000,
      memoryMbMs: 5_000,
      cpuUsec: 0,
      networkInBytes: 100,
      networkOutBytes: 0,
      diskMb: null,
    };
    app.openSteps.add({ projectId: project, sums }, app.time.ms);
  }
  assert.equal(app.openSteps.find(project).length, 40);
  await writeMetrics(app, { isLast: true });
  assert.equal((await app.total(15)).rows, 40);
});
