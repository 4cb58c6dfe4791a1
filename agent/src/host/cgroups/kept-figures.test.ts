import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { field } from "./cgroup-tree.ts";
import { KeptFigures } from "./kept-figures.ts";

test("figures are read from what cgroup v2 writes, anew each time", async () => {
  const directory = await mkdtemp(join(tmpdir(), "figures-"));
  const write = (name: string, text: string) => writeFile(join(directory, name), text);
  const [events, memory, cpu, oom] = ["cgroup.events", "memory.current", "cpu.stat", "memory.events"].map(
    (name) => join(directory, name),
  );
  assert.ok(events !== undefined && memory !== undefined && cpu !== undefined && oom !== undefined);
  using figures = new KeptFigures({ events, memory, cpu, oom }, (text) => field(text, "usage_usec"));
  try {
    assert.deepEqual(
      [figures.isPopulated(), figures.usage()],
      [false, { memoryBytes: 0, cpuUsec: 0, oomKills: 0 }],
    );
    await write("cgroup.events", "populated 1\nfrozen 0\n");
    await write("memory.current", "20480\n");
    await write("cpu.stat", "usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\nnr_periods 0\n");
    await write("memory.events", "low 0\nhigh 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 0\n");
    assert.deepEqual(
      [figures.isPopulated(), figures.usage()],
      [true, { memoryBytes: 20_480, cpuUsec: 1_234_567, oomKills: 2 }],
    );
    await write("cgroup.events", "populated 0\nfrozen 0\n");
    await write("memory.current", "0\n");
    assert.deepEqual([figures.isPopulated(), figures.usage().memoryBytes], [false, 0]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
