import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { field } from "./cgroup-tree.ts";
import { KeptFigures } from "./kept-figures.ts";

/** Returns the figures of a group that has the files of cgroup v2. */
const v2Figures = (path: (name: string) => string) =>
  new KeptFigures(
    {
      events: path("cgroup.events"),
      memory: path("memory.current"),
      memoryDetails: path("memory.stat"),
      reclaimable: "inactive_file",
      cpu: path("cpu.stat"),
      oom: path("memory.events"),
    },
    (text) => field(text, "usage_usec"),
  );

test("figures are read from what cgroup v2 writes, anew each time", async (t) => {
  const { write, path } = await groupOf(t);
  using figures = v2Figures(path);
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
});

test("of cgroup v2, the page cache that the kernel takes back first is no memory in use", async (t) => {
  const { write, path } = await groupOf(t);
  using figures = v2Figures(path);
  await write("memory.current", "268435456\n");
  await write("memory.stat", v2Details);
  assert.equal(figures.usage().memoryBytes, 268_435_456 - 201_326_592);
  await write("memory.current", "201326592\n");
  assert.equal(figures.usage().memoryBytes, 201_326_592, "figures of two moments make no nonsense");
});

test("of cgroup v1, it is that of the group and of the groups below it", async (t) => {
  const { write, path } = await groupOf(t);
  using figures = new KeptFigures(
    {
      events: path("cgroup.events"),
      memory: path("memory.usage_in_bytes"),
      memoryDetails: path("memory.stat"),
      reclaimable: "total_inactive_file",
      cpu: path("cpuacct.usage"),
      oom: path("memory.oom_control"),
    },
    (nanoseconds) => Math.round(Number(nanoseconds) / 1000),
  );
  await write("memory.usage_in_bytes", "268435456\n");
  await write("memory.stat", v1Details);
  await write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
  await write("cpuacct.usage", "1234567890\n");
  assert.deepEqual(figures.usage(), {
    memoryBytes: 268_435_456 - 201_326_592,
    cpuUsec: 1_234_568,
    oomKills: 1,
  });
});

/** Makes the directory of a group, in which a test writes what the kernel would. */
async function groupOf(t: TestContext): Promise<{
  write: (name: string, text: string) => Promise<void>;
  path: (name: string) => string;
}> {
  const directory = await mkdtemp(join(tmpdir(), "figures-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = (name: string) => join(directory, name);
  return { path, write: (name, text) => writeFile(path(name), text) };
}

/** The lines of `memory.stat` of version 2 in the kernel's order (Linux 6.12). */
const v2Details = `anon 41943040
file 209715200
kernel 8388608
kernel_stack 65536
pagetables 524288
sec_pagetables 0
percpu 1440
sock 4096
vmalloc 0
shmem 0
zswap 0
zswapped 0
file_mapped 4194304
file_dirty 0
file_writeback 0
swapcached 0
anon_thp 0
file_thp 0
shmem_thp 0
inactive_anon 41943040
active_anon 0
inactive_file 201326592
active_file 8388608
unevictable 0
slab_reclaimable 6291456
slab_unreclaimable 1048576
slab 7340032
workingset_refault_anon 0
workingset_refault_file 0
pgscan 0
pgsteal 0
pgfault 10240
pgmajfault 12
`;

/** The lines of `memory.stat` of version 1 in the kernel's order (Linux 6.18). */
const v1Details = `cache 0
rss 0
rss_huge 0
shmem 0
mapped_file 0
dirty 0
writeback 0
workingset_refault_anon 0
workingset_refault_file 0
swap 0
swapcached 0
pgpgin 175588
pgpgout 168846
pgfault 54305
pgmajfault 0
inactive_anon 0
active_anon 0
inactive_file 0
active_file 0
unevictable 0
hierarchical_memory_limit 536870912
hierarchical_memsw_limit 9223372036854771712
total_cache 209715200
total_rss 41943040
total_rss_huge 0
total_shmem 0
total_mapped_file 4194304
total_dirty 0
total_writeback 0
total_workingset_refault_anon 0
total_workingset_refault_file 0
total_swap 0
total_swapcached 0
total_pgpgin 50570889
total_pgpgout 49971514
total_pgfault 62799204
total_pgmajfault 2580
total_inactive_anon 41943040
total_active_anon 0
total_inactive_file 201326592
total_active_file 8388608
total_unevictable 0
`;
