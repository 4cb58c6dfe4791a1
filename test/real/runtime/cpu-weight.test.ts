/**
 * Tests that where processors are short, projects get them by their weights, which stand where the kernel
 * weighs one project against another.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { openCgroups } from "../../../agent/src/host/cgroups/cgroup-detect.ts";
import type { Cgroups } from "../../../agent/src/host/cgroups/cgroup.ts";
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
  // Which processor it is does not matter: one that this process may use.
  const allowed = /^Cpus_allowed_list:\s+(\d+)/m.exec(await readFile("/proc/self/status", "utf8"))?.[1];
  for (const request of [light, heavy])
    await host.start(`exec taskset -c ${allowed} perl -e '1 while 1'`, request);
  const used = async () => ({
    light: (await cgroups.usage("prj_light")).cpuUsec,
    heavy: (await cgroups.usage("prj_heavy")).cpuUsec,
  });
  await until(async () => (await used()).light > 300_000 && (await used()).heavy > 300_000);
  const from = await used();
  const spent = async () => {
    const { light, heavy } = await used();
    return { light: light - from.light, heavy: heavy - from.heavy };
  };
  await until(async () => (await spent()).light + (await spent()).heavy > 5_000_000);
  const took = await spent();
  const ratio = took.heavy / took.light;
  t.diagnostic(
    `weight 200: ${(took.heavy / 1e6).toFixed(2)} s, weight 50: ${(took.light / 1e6).toFixed(2)} s, ratio ${ratio.toFixed(2)}`,
  );
  assert.ok(ratio > 3 && ratio < 5, `ratio ${ratio}`);
});

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
