/** An update while the disk of central and of the host is full: it is refused, and what runs goes on. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runningCount } from "../../support/ledger/exit-ledger.ts";
import { SimulatedProject, whenIdle } from "../../support/projects/simulated-project.ts";
import { fillLargeDisk } from "../../support/machine/small-disk.ts";
import { TestCluster } from "../../support/cluster/test-cluster.ts";
import { until } from "../../support/until.ts";

/** Size of the disk: more than an install asks a host to have free. */
const diskSize = "400m";

test("new code, a rollback and settings are refused on a full disk and change nothing; with room they pass", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-full-cluster-"));
  await using resources = new AsyncDisposableStack();
  resources.defer(() => rm(directory, { recursive: true }));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskSize}`, "tmpfs", directory]);
  resources.defer(() => void execFileSync("umount", [directory]));
  const ballast = join(directory, "ballast");
  const cluster = resources.use(await TestCluster.create({ directory: join(directory, "cluster") }));
  const scopes = ["projects:settings", "versions:rollback"] as const;
  const project = await SimulatedProject.create(
    await cluster.createAccount({ plan: "Empresas", scopes: [...scopes] }),
    "sim run",
    { config: { type: "site" } },
  );
  const { client, id } = project;
  const newest = async () => (await client.listVersions({ id })).versions[0];
  await project.is("running");
  await until(async () => (await newest())?.status === "live");
  const { startedAt, memoryMb } = await project.get();

  fillLargeDisk(ballast);
  const refused = { name: "ApiError" };
  await assert.rejects(project.upload(`sim print ${"x".repeat(5_000)}; run`), refused);
  await assert.rejects(client.rollbackProject({ id, number: 1 }), refused);
  await assert.rejects(client.updateProject({ id, body: { memoryMb: memoryMb * 2 } }), refused);
  const now = await project.get();
  assert.deepEqual([now.status, now.startedAt, now.memoryMb], ["running", startedAt, memoryMb]);
  assert.deepEqual([(await newest())?.number, (await newest())?.isServing], [1, true]);
  const { machine } = cluster.host;
  assert.deepEqual([runningCount(machine, id), machine.startCounts.get(id)], [1, 1]);

  await rm(ballast);
  await whenIdle(() => project.upload("sim print two; run"));
  await project.when(({ status, startedAt: at }) => status === "running" && at !== startedAt);
  await until(async () => (await newest())?.status === "live");
  assert.equal((await newest())?.number, 2);
});
