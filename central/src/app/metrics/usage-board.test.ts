import assert from "node:assert/strict";
import { test } from "node:test";
import type { UsageReport } from "@tijolo/protocol";
import { UsageBoard } from "./usage-board.ts";

const project = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
type Sample = UsageReport["projects"][number];

function reportAt(uptimeMs: number, changes: Partial<Sample> | null): UsageReport {
  const sample = {
    projectId: project,
    runNumber: 1,
    memoryMb: 100,
    cpuUsec: 0,
    networkInBytes: 0,
    networkOutBytes: 0,
    diskMb: null,
  };
  return {
    uptimeMs,
    host: { memoryUsedMb: 1, cpuPercent: 1, diskFreeMb: 1 },
    projects: changes === null ? [] : [{ ...sample, ...changes }],
  };
}

/** Returns what each report adds, in order. */
function sumsOf(reports: UsageReport[]) {
  const board = new UsageBoard();
  return reports.map((report) => board.take("host", report, () => true)[0]?.sums);
}

test("what was used is the difference of the counters, over the host's own time", () => {
  const board = new UsageBoard();
  const take = (report: UsageReport) => board.take("host", report, () => true);
  assert.deepEqual(
    take(reportAt(1_000, { cpuUsec: 7, networkInBytes: 50 })),
    [],
    "the first report is what others are compared with",
  );
  assert.deepEqual(board.find(project), { memoryMb: 100, cpuPercent: 0, networkInBps: 0, networkOutBps: 0 });
  const [interval] = take(
    reportAt(6_000, { cpuUsec: 2_500_007, networkInBytes: 5_050, networkOutBytes: 10_000, diskMb: 12 }),
  );
  assert.deepEqual(interval, {
    projectId: project,
    sums: {
      coveredMs: 5_000,
      memoryMbMs: 500_000,
      cpuUsec: 2_500_000,
      networkInBytes: 5_000,
      networkOutBytes: 10_000,
      diskMb: 12,
    },
  });
  assert.deepEqual(board.find(project), {
    memoryMb: 100,
    cpuPercent: 50,
    networkInBps: 1_000,
    networkOutBps: 2_000,
  });
  take(reportAt(11_000, null));
  assert.equal(board.find(project), undefined, "it runs no more");
});

test("a jump of the host's clock changes nothing", () => {
  const jumped = { ...reportAt(6_000, { cpuUsec: 1_000_000 }), at: "2026-01-01T01:00:05.000Z" };
  const [, sums] = sumsOf([reportAt(1_000, {}), jumped]);
  assert.deepEqual([sums?.coveredMs, sums?.cpuUsec], [5_000, 1_000_000]);
});

test("at a new run traffic is counted once and CPU from nothing; none is ever negative", () => {
  const [, second, third] = sumsOf([
    reportAt(0, { cpuUsec: 9_000_000, networkInBytes: 1_000 }),
    reportAt(5_000, { runNumber: 2, cpuUsec: 30_000, networkInBytes: 1_400 }),
    reportAt(10_000, { runNumber: 2, cpuUsec: 20_000, networkInBytes: 10 }),
  ]);
  assert.deepEqual([second?.cpuUsec, second?.networkInBytes], [30_000, 400]);
  assert.deepEqual([third?.cpuUsec, third?.networkInBytes], [0, 0], "counters that went down");
});

test("a gap, a reboot of the host and a project that was away begin anew", () => {
  const far = sumsOf([
    reportAt(0, {}),
    reportAt(60_000, { cpuUsec: 100 }),
    reportAt(65_000, { cpuUsec: 300 }),
  ]);
  assert.deepEqual([far[1], far[2]?.cpuUsec], [undefined, 200]);
  const rebooted = sumsOf([reportAt(900_000, {}), reportAt(5_000, { runNumber: 2, cpuUsec: 100 })]);
  assert.deepEqual(rebooted, [undefined, undefined]);
  const away = sumsOf([
    reportAt(0, {}),
    reportAt(5_000, null),
    reportAt(10_000, { runNumber: 2, cpuUsec: 100 }),
  ]);
  assert.deepEqual(away, [undefined, undefined, undefined]);
});

test("reports that come together count as one, and lose nothing", () => {
  const [, second, third] = sumsOf([
    reportAt(0, {}),
    reportAt(100, { cpuUsec: 50 }),
    reportAt(5_000, { cpuUsec: 1_050 }),
  ]);
  assert.deepEqual([second, third?.cpuUsec, third?.coveredMs], [undefined, 1_050, 5_000]);
});

test("a host tells only about its own projects, and nothing past belief", () => {
  const board = new UsageBoard();
  board.take("host", reportAt(0, {}), () => true);
  board.take("liar", reportAt(0, { memoryMb: 1 }), () => false);
  board.take("liar", reportAt(5_000, { memoryMb: 1 }), () => false);
  assert.equal(board.find(project)?.memoryMb, 100);
  const [interval] = board.take(
    "host",
    reportAt(5_000, { networkInBytes: Number.MAX_SAFE_INTEGER }),
    () => true,
  );
  assert.equal(interval?.sums.networkInBytes, 160_000_000_000);
});
