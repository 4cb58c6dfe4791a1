/** Tests a whole cluster on a host with systemd and cgroup v2, with images built outside the machine. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DeployedProject, shellBot } from "../real/support/projects/deployed-project.ts";
import { RealCluster } from "../real/support/cluster/real-cluster.ts";
import { until } from "../support/until.ts";

/** The machine is emulated: what takes a second elsewhere takes half a minute here. */
const timeoutMs = 180_000;

test("a project is uploaded, runs, survives the agent's death, is stopped and reports its end", async () => {
  await using cluster = await RealCluster.create();
  try {
    const { client } = await cluster.createAccount();
    const bot = await DeployedProject.create(client, shellBot("echo up; exec sleep 10000"));
    await bot.is("running", timeoutMs);
    await bot.prints("up", timeoutMs);
    const pids = cluster.host.pidsOf(bot.id);
    assert.ok(pids.length > 0);
    await cluster.host.agent.kill();
    await cluster.host.agent.start();
    await until(async () => (await bot.get()).usage !== null && (await bot.get()).usage?.memoryMb !== 0, {
      timeoutMs,
      everyMs: 500,
    });
    assert.deepEqual(cluster.host.pidsOf(bot.id), pids);
    await until(() => client.stopProject({ id: bot.id }).catch(() => undefined), { timeoutMs, everyMs: 500 });
    const stopped = await bot.is("stopped", timeoutMs);
    assert.equal(stopped.lastExit?.isOutOfMemory, false);

    const hog = await DeployedProject.create(client, shellBot("x=a; while :; do x=$x$x; done"));
    const killed = await hog.when(({ lastExit }) => lastExit !== null, { timeoutMs });
    assert.equal(killed.lastExit?.isOutOfMemory, true);
  } catch (error) {
    console.log(await cluster.host.agent.log());
    throw error;
  }
});
