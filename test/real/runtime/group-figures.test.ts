/** Tests figures of one control group from files that stay open, while the group goes and comes back. */

import assert from "node:assert/strict";
import { readdirSync, readlinkSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { openCgroups } from "../../../agent/src/host/cgroups/cgroup-detect.ts";
import { exec, execDetached } from "../../../agent/src/host/exec.ts";
import { until } from "../../support/until.ts";

const name = `tijolo-test-figures-${process.pid}`;
const group = "p1/run-1";
const cgroups = await openCgroups(name);
const joinAnd = (command: string, into = group) => [
  "/bin/sh",
  "-c",
  `for file; do echo 0 > "$file"; done; ${command}`,
  "sh",
  ...cgroups.joinFiles(into),
];

after(async () => {
  await cgroups.kill("");
  await cgroups.remove("");
});

test("a group's figures follow it when it is removed and made again, and its files are closed in the end", async () => {
  const figures = cgroups.figures(group);
  const nothing = { memoryBytes: 0, cpuUsec: 0, oomKills: 0 };
  assert.deepEqual(
    [figures.isPopulated(), figures.usage(), openFiles()],
    [false, nothing, []],
    "before there is a group",
  );

  for (let round = 1; round <= 2; round++) {
    await cgroups.create(group, null);
    // Of memory, what it asks for after it has joined counts.
    await execDetached(joinAnd(`exec perl -e 'my $kept = "x" x 20_000_000; 1 while 1'`));
    await until(() => figures.isPopulated());
    await until(() => figures.usage().cpuUsec > 20_000);
    await until(() => figures.usage().memoryBytes > 10_000_000);
    assert.equal(openFiles().length, 5);
    await cgroups.kill(group);
    assert.equal(figures.isPopulated(), false);
    assert.ok(figures.usage().cpuUsec > 20_000, "what it has used stays until it is removed");
    await cgroups.remove(group);
    assert.deepEqual([figures.isPopulated(), figures.usage(), openFiles()], [false, nothing, []]);
  }

  await cgroups.create(group, null);
  assert.equal(figures.isPopulated(), false);
  assert.equal(openFiles().length, 1);
  figures[Symbol.dispose]();
  assert.deepEqual(openFiles(), []);
});

test("a kill for memory is counted while the group is looked at, and in a single look", async () => {
  await cgroups.create(group, {
    memoryBytes: 32 << 20,
    cpuPercent: null,
    cpuWeight: 100,
    pids: 20,
    io: null,
  });
  using figures = cgroups.figures(group);
  assert.equal(figures.usage().oomKills, 0);
  await assert.rejects(exec(joinAnd("exec tail /dev/zero"), { timeoutMs: 60_000 }), /SIGKILL/);
  assert.equal(figures.usage().oomKills, 1);
  assert.equal((await cgroups.usage(group)).oomKills, 1);
});

test("memory is told of the group that its limit is on, processor of the group around it", async () => {
  const [whole, container, shim] = ["p2/run-1", "p2/run-1/container", "p2/run-1/shim"];
  await cgroups.create(whole, { cpuPercent: null });
  await Promise.all([cgroups.create(container, { memoryBytes: 32 << 20 }), cgroups.create(shim, null)]);
  using figures = cgroups.figures(container, whole);
  await execDetached(joinAnd(`exec perl -e 'my $kept = "x" x 40_000_000; 1 while 1'`, shim));
  await until(async () => (await cgroups.usage(shim)).memoryBytes > 40_000_000);
  await until(() => figures.usage().cpuUsec > 50_000);
  const { memoryBytes } = figures.usage();
  assert.ok(memoryBytes <= 32 << 20, `${memoryBytes} bytes are told of a limit of 32 MiB`);
});

test("what a program wrote to files is not told as memory that it uses", async () => {
  const files = await mkdtemp(join(import.meta.dirname, ".figures-")); // on a disk, where /tmp may be memory
  try {
    const joined = cgroups.joinFiles("p3/run-1");
    const file = joined.find((path) => path.includes("/memory/")) ?? joined[0] ?? "";
    await cgroups.create("p3/run-1", null);
    using figures = cgroups.figures("p3/run-1");
    const command = `dd if=/dev/zero of=${files}/big bs=1M count=60 conv=fsync 2>/dev/null; exec sleep 1000`;
    await execDetached(joinAnd(command, "p3/run-1"));
    const charged = async () => Number(await readCharged(dirname(file)));
    await until(async () => (await charged()) > 55 << 20);
    await until(() => figures.usage().memoryBytes < 20 << 20);
    assert.ok((await charged()) > 55 << 20, "the kernel still holds the file's pages for the group");
    await cgroups.kill("p3/run-1");
  } finally {
    await rm(files, { recursive: true });
  }
});

/** Returns what the kernel charges a group with, of version 2 or 1. */
async function readCharged(directory: string): Promise<string> {
  const file = cgroups.version === "v2" ? "memory.current" : "memory.usage_in_bytes";
  return readFile(join(directory, file), "utf8").catch(() => "0");
}

/** Returns the files of the group that this process holds open. */
function openFiles(): string[] {
  const held = readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return []; // the one that listed them
    }
  });
  return held.filter((path) => path.includes(`/${name}`)); // under systemd, that of a unit
}

test("the groups of a container are open to enter whatever the agent's umask, as its own user mounts them", async () => {
  const earlier = process.umask(0o077);
  try {
    await cgroups.create("p2/run-1", null);
  } finally {
    process.umask(earlier);
  }
  const [file = ""] = cgroups.joinFiles("p2/run-1");
  const groups = [dirname(file), dirname(dirname(file))];
  for (const group of groups) assert.equal(statSync(group).mode & 0o777, 0o755, group);
});
