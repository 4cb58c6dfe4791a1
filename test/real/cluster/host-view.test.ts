/** Tests that operators see of a host what its kernel holds projects to, and what they use of it. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cpuCeilingPercent, cpuWeight, processLimit } from "@tijolo/protocol";
import { detectCgroups } from "../../../agent/src/host/cgroups/cgroup-detect.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, shellBot } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

const memoryMb = 512;
/** Megabytes of 2^20 bytes, as the host counts. */
const writtenMb = 30;

let cluster: RealCluster;
before(async () => {
  cluster = await RealCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

const view = () => cluster.operator.client().getHost({ host: cluster.host.name });

test("limits are read back from the kernel, beside what is used", async () => {
  const account = await cluster.createAccount();
  const command = `ulimit -Hn; head -c ${writtenMb * 2 ** 20} /dev/zero > /app/file; sleep 100000 & sleep 100000 & echo written; while :; do :; done`;
  const project = await DeployedProject.create(
    account.client,
    shellBot(command, { installCommand: "", memoryMb }),
  );
  await project.prints("written");
  const stopped = await DeployedProject.create(account.client, {
    ...shellBot("true", { installCommand: "" }),
    start: false,
  });
  await stopped.is("stopped");
  const found = await until(
    async () => {
      const now = await view();
      const usage = now.projects.find(({ id }) => id === project.id)?.usage;
      return usage != null && usage.cpuPercent > 0 ? now : undefined;
    },
    { timeoutMs: 60_000, everyMs: 300 },
  );
  const { machine, host, projects } = found;
  const layout = await detectCgroups();
  assert.deepEqual(
    [machine?.runtime, machine?.cgroups, machine?.userNamespaces],
    ["nspawn", layout.kind, "filtered"],
  );
  assert.ok(
    machine?.disks !== "plain" && machine?.io === (layout.kind === "v1" ? "direct" : "all"),
    JSON.stringify(machine),
  );

  const shown = projects.find(({ id }) => id === project.id);
  const openFiles = Number((await project.output())[0]);
  const { io, ...limits } = shown?.limits ?? { io: null };
  assert.deepEqual(limits, {
    memoryMb,
    cpuPercent: cpuCeilingPercent(memoryMb, host.resources?.cpuCount ?? 0),
    cpuWeight: cpuWeight(memoryMb),
    pids: processLimit(memoryMb),
    openFiles,
  });
  assert.deepEqual([io?.bytesPerSecond, io?.operationsPerSecond], [100 * 2 ** 20, 4_000]);
  assert.ok((io?.devices.length ?? 0) >= 1);
  // The two that sleep, their shell, and the container's init.
  assert.ok((shown?.usage?.pids ?? 0) >= 4 && (shown?.usage?.pids ?? 0) < 10, JSON.stringify(shown?.usage));
  assert.ok(
    (shown?.disk?.usedMb ?? 0) >= writtenMb && (shown?.disk?.usedMb ?? 0) < writtenMb + 10,
    JSON.stringify(shown?.disk),
  );
  assert.equal(shown?.disk?.limitMb, shown?.planDiskMb);

  const idle = projects.find(({ id }) => id === stopped.id);
  assert.deepEqual([idle?.status, idle?.limits, idle?.usage], ["stopped", null, null]);
  assert.ok(idle?.disk != null, "its files are on its disk all the same");
});
