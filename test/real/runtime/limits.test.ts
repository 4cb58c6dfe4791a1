/**
 * Tests what the kernel enforces of a project's limits on this machine, beyond memory (see
 * `runtime-exits.test.ts`): disk speed, processes, files, cgroups.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { ioLimits } from "../../../agent/src/disk/io-limits.ts";
import { DiskHost } from "../support/disks/disk-host.ts";

const project = "prj_limits";
const limits = { memoryMb: 256, cpuPercent: null, cpuWeight: 100, pids: 64 };

let host: DiskHost;
before(async () => {
  host = await DiskHost.create();
  await host.disks.open(project, { limitMb: 200, isUp: false });
});
after(() => host[Symbol.asyncDispose]());

/** Seconds that a command takes in the project, by its own clock. */
async function timed(command: string, bytesPerSecond: number | null): Promise<number> {
  const devices = await host.disks.devices(project);
  const io = bytesPerSecond === null ? {} : { io: { devices, bytesPerSecond, operationsPerSecond: 100_000 } };
  const { code, stdout, stderr } = await host.containers.run(
    `s=$(date +%s.%N); ${command}; e=$(date +%s.%N); echo "$s $e"`,
    {
      projectId: project,
      limits: { ...limits, ...io },
    },
  );
  assert.equal(code, 0, stderr.join("\n"));
  const [start = 0, end = 0] = (stdout.at(-1) ?? "").split(" ").map(Number);
  return end - start;
}

test("the ceiling of every project is set on the disk of its files and on the one below", async () => {
  const { devices, bytesPerSecond, operationsPerSecond } = await ioLimits(host.disks, project);
  assert.ok(devices.length >= 1 && devices.every((device) => /^\d+:\d+$/.test(device)), devices.join(" "));
  assert.ok(bytesPerSecond > 0 && operationsPerSecond > 0);
});

// Lower bounds of time alone: a busy machine is only slower.
test("reading is held to the ceiling", async () => {
  await timed("dd if=/dev/zero of=/app/file bs=1M count=20 conv=fsync", null);
  const seconds = await timed("dd if=/app/file of=/dev/null bs=1M count=20 iflag=direct", 5 * 2 ** 20);
  assert.ok(seconds >= 3, `20 MB at 5 MB a second took ${seconds} s`);
});

test("direct writing is held to the ceiling; what goes through the page cache only where the hierarchy is version 2", async () => {
  const direct = await timed("dd if=/dev/zero of=/app/file bs=1M count=20 oflag=direct", 5 * 2 ** 20);
  assert.ok(direct >= 3, `20 MB at 5 MB a second took ${direct} s`);
  if (existsSync("/sys/fs/cgroup/cgroup.controllers")) {
    const buffered = await timed("dd if=/dev/zero of=/app/file bs=1M count=20 conv=fsync", 5 * 2 ** 20);
    assert.ok(buffered >= 3, `20 MB at 5 MB a second took ${buffered} s`);
  }
});

test("open files and processes end at their limits", async () => {
  const files = `perl -e 'my @kept; while (open(my $f, "<", "/dev/null")) { push @kept, $f } print scalar(@kept), " $!\\n"'`;
  const [opened = ""] = (await host.containers.run(files, { projectId: project, limits })).stdout;
  const [, count, reason] = /^(\d+) (.*)$/.exec(opened) ?? [];
  assert.equal(reason, "Too many open files");
  assert.ok(Number(count) > 1_000 && Number(count) <= 65_536, opened);
  const forks = `perl -e 'my $n = 0; while (defined(my $p = fork)) { if (!$p) { sleep 100 } $n++ } print "$n $!\\n"; kill 9, -1'`;
  const { stdout } = await host.containers.run(forks, { projectId: project, limits });
  const [, forked, refusal] = /^(\d+) (.*)$/.exec(stdout.find((line) => /^\d+ /.test(line)) ?? "") ?? [];
  assert.match(refusal ?? "", /Resource temporarily unavailable/);
  assert.ok(Number(forked) >= 40 && Number(forked) < 64, stdout.join("\n"));
});

test("a project makes few cgroups, and none deep below its own", async () => {
  const wide = `i=0; cd /sys/fs/cgroup && while mkdir g$i 2>/dev/null; do i=$((i+1)); [ $i -lt 100 ] || break; done; echo "made $i"`;
  const made = (await host.containers.run(wide, { projectId: project, limits })).stdout.find((line) =>
    line.startsWith("made "),
  );
  assert.ok(Number(made?.slice(5)) <= 20, made);
  const deep = `i=0; cd /sys/fs/cgroup && while mkdir g 2>/dev/null; do cd g; i=$((i+1)); [ $i -lt 100 ] || break; done; echo "deep $i"`;
  const depth = (await host.containers.run(deep, { projectId: project, limits })).stdout.find((line) =>
    line.startsWith("deep "),
  );
  assert.ok(Number(depth?.slice(5)) <= 5, depth);
});
