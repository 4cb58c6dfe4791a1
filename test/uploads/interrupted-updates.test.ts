/** Tests requests during the install of an update, and rollbacks that are refused: what runs goes on. */

import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { runningCount } from "../support/ledger/exit-ledger.ts";
import { SimulatedProject, whenIdle } from "../support/projects/simulated-project.ts";
import { archivePath } from "../support/archives/stored-archive.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let account: TestAccount;
const newAccount = (own: TestCluster) =>
  own.createAccount({ plan: "Empresas", scopes: ["projects:settings", "versions:rollback"] });
before(async () => {
  cluster = await TestCluster.create();
  account = await newAccount(cluster);
});
after(() => cluster[Symbol.asyncDispose]());

const site = { type: "site" };
const versionsOf = async ({ client, id }: SimulatedProject) => (await client.listVersions({ id })).versions;
const isLive = async (project: SimulatedProject) => (await versionsOf(project))[0]?.status === "live";
const back = ({ client, id }: SimulatedProject, number: number) =>
  whenIdle(() => client.rollbackProject({ id, number }));

/** A site of which version 2 is up, and version 1 was. */
async function twice(owner: TestAccount, first: object = {}): Promise<SimulatedProject> {
  const project = await SimulatedProject.create(owner, "sim print one; run", {
    config: { ...site, ...first },
  });
  await project.is("running");
  await until(() => isLive(project));
  await project.upload("sim print two; run", { ...site, language: "node", version: "24" });
  await until(() => isLive(project));
  return project;
}

/** Asserts that the rollback to version 1 was interrupted, and that version 2 is up as before. */
async function assertInterrupted(own: TestCluster, project: SimulatedProject): Promise<void> {
  const { error } = await project.is("error");
  assert.equal(error?.code, "install_interrupted");
  assert.match(error?.message ?? "", /A versão 2 continua no ar\.$/);
  const seen = (await versionsOf(project)).map((each) => [each.number, each.status, each.isServing]);
  assert.deepEqual(seen.slice(0, 2), [
    [3, "failed", false],
    [2, "superseded", true],
  ]);
  const { machine } = own.host;
  assert.deepEqual([runningCount(machine, project.id), machine.startCounts.get(project.id)], [1, 2]);
}

suite("while an update installs", { concurrency: 2 }, () => {
  test("start, stop, restart, new code, a rollback and settings are refused, and what runs goes on", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    await project.upload("sim run", { installCommand: "sim gate" });
    await project.is("installing");
    const { client, id } = project;
    for (const request of [
      () => project.start(),
      () => project.stop(),
      () => project.restart(),
      () => project.upload("sim run"),
      () => client.rollbackProject({ id, number: 1 }),
      () => client.updateProject({ id, body: { memoryMb: 512 } }),
    ])
      await assert.rejects(request(), { code: "project_busy" });
    const { machine } = cluster.host;
    assert.deepEqual([runningCount(machine, id), machine.startCounts.get(id)], [1, 1]);
    machine.openGate(id);
    const { memoryMb } = await project.is("running");
    assert.deepEqual([memoryMb, (await versionsOf(project)).length], [256, 2]);
  });

  test("a deletion ends the install and what runs", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    await project.upload("sim run", { installCommand: "sim gate" });
    await project.is("installing");
    await cluster.admin.deleteProject({ id: project.id });
    await assert.rejects(project.get(), { code: "not_found" });
    await until(() => runningCount(cluster.host.machine, project.id) === 0);
  });
});

suite("a rollback to a version", { concurrency: 2 }, () => {
  test("whose archive is damaged is interrupted; with the archive whole again it goes back", async () => {
    const project = await twice(account);
    const first = (await versionsOf(project)).at(-1);
    const file = archivePath(cluster, first?.sha256 ?? "");
    const content = await readFile(file);
    // What the host has kept of it would spare it the archive.
    await rm(join(cluster.host.dataDirectory, "projects", project.id, "versions", "1"), { recursive: true });
    await writeFile(file, Buffer.alloc(content.length));
    await back(project, 1);
    await assertInterrupted(cluster, project);
    await writeFile(file, content);
    await back(project, 1);
    assert.equal((await project.is("running")).command, "sim print one; run");
    await until(() => isLive(project));
  });

  test("whose image cannot be had is interrupted; once it can be had it goes back", async () => {
    await using own = await TestCluster.create();
    const { images } = own.host.machine;
    const project = await twice(await newAccount(own), { language: "python", version: "3.13" });
    assert.ok(images.fetches.size > 0);
    for (const origin of images.fetches.keys()) images.failures.set(origin, "the registry is away");
    images.layers.clear();
    await back(project, 1);
    await assertInterrupted(own, project);
    images.failures.clear();
    await back(project, 1);
    assert.equal((await project.is("running")).language, "python");
    await until(() => isLive(project));
  });
});
