/** The install step of real projects: what it runs, how it fails, and that a failed one leaves nothing. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram, shellBot, type Upload } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

let cluster: RealCluster;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create();
  account = await cluster.createAccount();
});
after(() => cluster[Symbol.asyncDispose]());

const deploy = (upload: Upload) => DeployedProject.create(account.client, upload);
const installing = (installCommand: string | null, files: Record<string, string> = {}): Upload => {
  const { config } = shellBot("ls; exec sleep 100000", { installCommand });
  return { files, ...(config === undefined ? {} : { config }) };
};

/** Fails to install with the code, can not be started, and has left no process, run directory or layer. */
async function failsToInstall(project: DeployedProject, code: string): Promise<string> {
  const { error, consecutiveCrashes, lastExit } = await project.is("error");
  assert.deepEqual([error?.code, consecutiveCrashes, lastExit], [code, 0, null]);
  await assert.rejects(account.client.startProject({ id: project.id }), { code: "install_pending" });
  assert.deepEqual(cluster.host.pidsOf(project.id), []);
  assert.deepEqual(cluster.host.runNames(project.id), []);
  const version = join(cluster.host.dataDirectory, "projects", project.id, "versions", "1");
  assert.ok(existsSync(join(version, "code")), "its code is there");
  for (const name of ["dependencies", "build", "dependencies-work", "build-work", "archive.zip"])
    assert.ok(!existsSync(join(version, name)), `${name} is left`);
  return error?.message ?? "";
}

test("without an install command the language's own runs; an empty one installs nothing; a text replaces it", async () => {
  const packageJson = JSON.stringify({ name: "site", scripts: { build: "touch built" } });
  const [automatic, none, own] = await Promise.all([
    deploy(installing(null, { "package.json": packageJson })),
    deploy(installing("", { "package.json": packageJson })),
    deploy(installing("echo mine > mine.txt", { "package.json": packageJson })),
  ]);
  for (const project of [automatic, none, own]) await project.is("running");
  const logOf = async (project: DeployedProject) =>
    (await project.lines({ section: "install" })).map(({ text }) => text).join("\n");
  assert.match(await logOf(automatic), /^\$ npm install$[^]*^\$ npm run build$/m);
  assert.match(await logOf(none), /Nada a instalar/);
  assert.match(await logOf(own), /^\$ echo mine > mine\.txt$/m);
  await Promise.all([automatic.prints("built"), own.prints("mine.txt"), none.prints("package.json")]);
  const files = async (project: DeployedProject) =>
    (await project.output()).filter((name) => name !== "svc.json").sort();
  assert.deepEqual([await files(none), await files(own)], [["package.json"], ["mine.txt", "package.json"]]);
  assert.deepEqual([(await none.get()).installCommand, (await automatic.get()).installCommand], ["", null]);
});

test("an install step that ends with an error is install_failed, with its code and its output", async () => {
  const project = await deploy(installing("mkdir half; echo trouble >&2; exit 23"));
  assert.match(await failsToInstall(project, "install_failed"), /23/);
  const lines = await project.lines({ section: "install" });
  assert.ok(lines.some(({ text, stream }) => text === "trouble" && stream === "stderr"));
});

test("an install step that takes too long is install_timeout", async () => {
  await restartAgent({ TIJOLO_INSTALL_TIMEOUT_SECONDS: "20" });
  try {
    const project = await deploy(installing("(setsid sleep 100001 &); sleep 100000"));
    await project.when(({ status }) => status === "installing");
    await assert.rejects(account.client.stopProject({ id: project.id }), { code: "project_busy" });
    await failsToInstall(project, "install_timeout");
  } finally {
    await restartAgent();
  }
});

async function restartAgent(settings: Record<string, string> = {}): Promise<void> {
  await cluster.host.agent.kill();
  await cluster.host.agent.start(settings);
  await cluster.untilConnected();
}

test("an install step that takes more than a gigabyte is install_out_of_memory", async () => {
  const hog = `node -e 'const kept = []; for (;;) kept.push(Buffer.alloc(32 << 20, 1))'`;
  await failsToInstall(await deploy(installing(hog)), "install_out_of_memory");
});

test("an install step whose agent is killed once is made again; the second time it is install_interrupted", async () => {
  const command =
    "echo try >> /home/project/tries; echo try $(wc -l < /home/project/tries); [ $(wc -l < /home/project/tries) -gt 1 ] || sleep 100000";
  const [once, twice] = await Promise.all([
    deploy(installing(command)),
    deploy(installing("echo begun; sleep 100000")),
  ]);
  for (const count of [1, 2]) {
    const isUnderWay = ({ id }: DeployedProject) =>
      cluster.host.runNames(id).includes("install-1") && cluster.host.pidsOf(id).length >= 5;
    await until(() => isUnderWay(twice) && (count === 2 || isUnderWay(once)), { timeoutMs: 60_000 });
    if (count === 2) await once.is("running");
    await cluster.host.agent.kill();
    await cluster.host.agent.start();
  }
  await failsToInstall(twice, "install_interrupted");
  await once.is("running");
});

test("new code that cannot be installed leaves what ran running, with the reason; the next runs by itself", async () => {
  const project = await deploy(nodeProgram(`console.log("first"); setInterval(() => {}, 1000);`));
  await project.prints("first");
  await project.upload(installing("exit 9"));
  const pids = cluster.host.pidsOf(project.id);
  const { error } = await project.is("error");
  assert.equal(error?.code, "install_failed");
  assert.match(error.message, /A versão 1 continua no ar\./);
  assert.deepEqual(cluster.host.pidsOf(project.id), pids);
  await project.upload(
    nodeProgram(`console.log("third"); setInterval(() => {}, 1000);`, { installCommand: null }),
  );
  await project.prints("third");
  await project.is("running");
});

test("a project deleted during its install leaves nothing", async () => {
  const project = await deploy(installing("echo begun; sleep 100000"));
  await until(() => cluster.host.pidsOf(project.id).length >= 5, { timeoutMs: 60_000 });
  await cluster.operator.client().deleteProject({ id: project.id });
  const directories = ["projects", "runs", "logs"].map((name) =>
    join(cluster.host.dataDirectory, name, project.id),
  );
  await until(() => directories.every((directory) => !existsSync(directory)), { timeoutMs: 60_000 });
  assert.deepEqual(cluster.host.pidsOf(project.id), []);
});
