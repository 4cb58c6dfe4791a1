/**
 * Tests that where processors are short, projects get them by their weights, which stand where the kernel
 * weighs one project against another, and all of them against what else runs on the machine.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, afterEach, before, test, type TestContext } from "node:test";
import { detectCgroups, openCgroups } from "../../../agent/src/host/cgroups/cgroup-detect.ts";
import { CgroupsV1 } from "../../../agent/src/host/cgroups/cgroup-v1.ts";
import { CgroupsV2 } from "../../../agent/src/host/cgroups/cgroup-v2.ts";
import type { Cgroups } from "../../../agent/src/host/cgroups/cgroup.ts";
import { projectsWeight } from "../../../agent/src/host/cgroups/projects-weight.ts";
import { execDetached } from "../../../agent/src/host/exec.ts";
import { ContainerHost, until } from "../support/host/container-host.ts";

const limits = { memoryMb: 128, cpuPercent: null, pids: 64 };
const [light, heavy] = [
  { projectId: "prj_light", limits: { ...limits, cpuWeight: 50 } },
  { projectId: "prj_heavy", limits: { ...limits, cpuWeight: 200 } },
];

let host: ContainerHost;
let cgroups: Cgroups;
before(async () => {
  host = await ContainerHost.create();
  cgroups = await openCgroups(`tijolo-${host.instanceName}`);
});
afterEach(() => host.endAll());
after(() => host[Symbol.asyncDispose]());

test("the kernel has the weight in the group of the project, beside those of the others", async () => {
  for (const request of [light, heavy]) await host.start("sleep 600", request);
  assert.deepEqual([await weightOf("prj_light"), await weightOf("prj_heavy")], [50, 200]);
  const told = await host.runtime.limits();
  assert.deepEqual(
    ["prj_light", "prj_heavy"].map((id) => told.get(id)?.limits.cpuWeight),
    [50, 200],
  );
});

test("of two projects that want the same processor, the one of four times the weight gets about four times as much", async (t) => {
  for (const request of [light, heavy]) await host.start(await computing(), request);
  const ratio = await ratioOf([cgroups, "prj_heavy"], [cgroups, "prj_light"], t);
  assert.ok(ratio > 3 && ratio < 5, `ratio ${ratio}`);
});

test("where another program of the machine computes, too, the projects get most of the processor", async (t) => {
  const other = await groupsOfAnother(`tijolo-test-other-${process.pid}`);
  t.after(async () => {
    await other.kill("");
    await other.remove("");
  });
  await other.create("program", null);
  const joinAndRun = `for file; do echo 0 > "$file"; done; ${await computing()}`;
  await execDetached(["/bin/sh", "-c", joinAndRun, "sh", ...other.joinFiles("program")]);
  await host.start(await computing(), light);
  const ratio = await ratioOf([cgroups, "prj_light"], [other, "program"], t);
  assert.ok(ratio > (projectsWeight() / 100) * 0.6, `ratio ${ratio}`);
});

/** Returns a shell's command that computes on one processor; which one, is the same at each call. */
async function computing(): Promise<string> {
  // One that this process may use.
  const allowed = /^Cpus_allowed_list:\s+(\d+)/m.exec(await readFile("/proc/self/status", "utf8"))?.[1];
  return `exec taskset -c ${allowed} perl -e '1 while 1'`;
}

/** Waits until both groups together computed for 5 s, and returns how many times as long the first one did. */
async function ratioOf(one: [Cgroups, string], two: [Cgroups, string], t: TestContext): Promise<number> {
  const used = async () =>
    Promise.all([one, two].map(async ([groups, group]) => (await groups.usage(group)).cpuUsec));
  const from = await until(async () => {
    const times = await used();
    return times.every((time) => time > 300_000) && times;
  });
  const took = await until(async () => {
    const times = (await used()).map((time, index) => time - (from[index] ?? 0));
    return times.reduce((sum, time) => sum + time) > 5_000_000 && times;
  });
  const [first = 0, second = 0] = took;
  const ratio = first / second;
  t.diagnostic(
    `${one[1]}: ${(first / 1e6).toFixed(2)} s, ${two[1]}: ${(second / 1e6).toFixed(2)} s, ratio ${ratio.toFixed(2)}`,
  );
  return ratio;
}

/** Returns groups beside those of all projects, weighed as the kernel weighs what nobody weighs. */
async function groupsOfAnother(name: string): Promise<Cgroups> {
  const layout = await detectCgroups();
  if (layout.kind === "unusable") throw new Error(layout.missing);
  return layout.kind === "v1"
    ? new CgroupsV1(layout.mounts, name)
    : CgroupsV2.create(join(layout.mount, name));
}

/** Returns the weight as the kernel has it now. */
async function weightOf(group: string): Promise<number> {
  for (const directory of cgroups.joinFiles(group).map((file) => dirname(file))) {
    const shares = await readFile(join(directory, "cpu.shares"), "utf8").catch(() => "");
    if (shares !== "") return (Number(shares) * 100) / 1024;
    const weight = await readFile(join(directory, "cpu.weight"), "utf8").catch(() => "");
    if (weight !== "") return Number(weight);
  }
  throw new Error(`${group} has no weight`);
}
