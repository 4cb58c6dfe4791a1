import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { reachOfIo, readGroupLimits } from "./group-limits.ts";

/** Makes hierarchies whose one group has the given files, as the kernel writes them. */
async function hierarchies(t: TestContext, files: Record<string, Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), "tijolo-groups-"));
  t.after(() => rm(root, { recursive: true }));
  for (const [name, contents] of Object.entries(files)) {
    await mkdir(join(root, name));
    for (const [file, text] of Object.entries(contents)) await writeFile(join(root, name, file), text);
  }
  return { joinFiles: () => Object.keys(files).map((name) => join(root, name, "cgroup.procs")) };
}

test("on v2 all limits stand in one directory", async (t) => {
  const groups = await hierarchies(t, {
    unified: {
      "memory.max": "268435456\n",
      "cpu.max": "150000 100000\n",
      "cpu.weight": "51\n",
      "pids.max": "256\n",
      "pids.current": "7\n",
      "io.max":
        "8:0 rbps=104857600 wbps=104857600 riops=4000 wiops=4000\n7:1 rbps=104857600 wbps=104857600 riops=4000 wiops=4000\n",
    },
  });
  assert.deepEqual(readGroupLimits(groups, "a"), {
    memoryMb: 256,
    cpuPercent: 150,
    cpuWeight: 51,
    pids: 256,
    pidsNow: 7,
    io: { devices: ["8:0", "7:1"], bytesPerSecond: 104_857_600, operationsPerSecond: 4_000 },
  });
});

test("on v1 each controller has a directory of its own", async (t) => {
  const line = (amount: number) => `254:0 ${amount}\n7:3 ${amount}\n`;
  const groups = await hierarchies(t, {
    unified: {},
    memory: { "memory.limit_in_bytes": "134217728\n" },
    pids: { "pids.max": "512\n", "pids.current": "3\n" },
    cpu: { "cpu.shares": "266\n", "cpu.cfs_quota_us": "100000\n", "cpu.cfs_period_us": "100000\n" },
    blkio: {
      "blkio.throttle.read_bps_device": line(1_000),
      "blkio.throttle.write_bps_device": line(2_000),
      "blkio.throttle.read_iops_device": line(30),
      "blkio.throttle.write_iops_device": line(30),
    },
  });
  assert.deepEqual(readGroupLimits(groups, "a"), {
    memoryMb: 128,
    cpuPercent: 100,
    cpuWeight: 26,
    pids: 512,
    pidsNow: 3,
    io: { devices: ["254:0", "7:3"], bytesPerSecond: 2_000, operationsPerSecond: 30 },
  });
});

test("what has no limit, or has lost it, is not told as one", async (t) => {
  const none = { memoryMb: null, cpuPercent: null, cpuWeight: null, pids: null, pidsNow: null, io: null };
  assert.deepEqual(readGroupLimits({ joinFiles: () => ["/nowhere/cgroup.procs"] }, "a"), none);
  const v2 = await hierarchies(t, {
    unified: { "memory.max": "max\n", "cpu.max": "max 100000\n", "pids.max": "max\n", "io.max": "\n" },
  });
  assert.deepEqual(readGroupLimits(v2, "a"), none);
  const v1 = await hierarchies(t, {
    memory: { "memory.limit_in_bytes": "9223372036854771712\n" },
    cpu: { "cpu.cfs_quota_us": "-1\n", "cpu.cfs_period_us": "100000\n" },
    blkio: { "blkio.throttle.read_bps_device": "8:0 1000\n" },
  });
  const io = { devices: ["8:0"], bytesPerSecond: null, operationsPerSecond: null };
  assert.deepEqual(
    readGroupLimits(v1, "a"),
    { ...none, io },
    "a ceiling for reading alone is none for writing",
  );
});

test("ceilings of disks hold for all writing on v2 where the groups have the controller, on v1 for direct writing", async (t) => {
  const v2 = await hierarchies(t, { unified: { "cgroup.subtree_control": "cpu io memory pids\n" } });
  const without = await hierarchies(t, { unified: { "cgroup.subtree_control": "cpu memory pids\n" } });
  assert.deepEqual(
    [reachOfIo({ version: "v2", ...v2 }, false), reachOfIo({ version: "v2", ...without }, false)],
    ["all", "none"],
  );
  assert.deepEqual(
    [true, false].map((has) => reachOfIo({ version: "v1", ...v2 }, has)),
    ["direct", "none"],
  );
});
