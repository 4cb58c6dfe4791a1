/**
 * Tests updates that fail, with real containers: what ran goes on or comes back, also when the agent is
 * killed in the middle.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Project } from "@tijolo/protocol";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram, shellBot, type Upload } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

/** A bot has come up after 5 s; the rest is for a busy machine. */
const cameUpMs = 6_500;
const rounds = 8;

let cluster: RealCluster;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create();
  account = await cluster.createAccount();
});
after(() => cluster[Symbol.asyncDispose]());

const steady = (words: string) => shellBot(`echo ${words}; exec sleep 100000`, { installCommand: "" });
const failing = shellBot("echo never", { installCommand: "echo broken >&2; exit 3" });
const pidsOf = ({ id }: DeployedProject) => cluster.host.pidsOf(id);
const isError = ({ status }: Project) => status === "error";

async function deployUntilUp(upload: Upload): Promise<DeployedProject> {
  const project = await DeployedProject.create(account.client, upload);
  await project.is("running");
  await delay(cameUpMs);
  return project;
}

test("an update whose install fails leaves the same processes running; the good one after it runs by itself", async () => {
  const project = await deployUntilUp(steady("one"));
  const pids = pidsOf(project);
  assert.ok(pids.length >= 4, JSON.stringify(pids));
  await project.upload(failing);
  const { error } = await project.when(isError);
  assert.equal(error?.code, "install_failed");
  assert.match(error?.message ?? "", /Código de saída: 3\..* A versão 1 continua no ar\.$/);
  assert.deepEqual(pidsOf(project), pids);
  const said = (await project.lines({ section: "install" })).map(({ text }) => text);
  assert.ok(said.includes("A versão 1 continua no ar."), said.join("\n"));

  await cluster.host.agent.kill();
  await cluster.host.agent.start();
  await cluster.untilConnected();
  assert.deepEqual(pidsOf(project), pids, "a restart of the agent restarts nothing");

  await project.upload(steady("three"));
  await project.when(({ status }) => status === "running");
  await project.when(async () => (await project.output()).includes("three"));
  await account.client.stopProject({ id: project.id });
  await project.is("stopped");
});

test("after a stop nothing of a failed update is left running", async () => {
  const project = await deployUntilUp(steady("one"));
  await project.upload(failing);
  await project.when(isError);
  await account.client.stopProject({ id: project.id });
  await until(() => pidsOf(project).length === 0);
  assert.equal((await project.get()).error?.code, "install_failed");
});

test("an update that exits at once is taken back, and the upload before it is found as it was installed", async () => {
  const project = await deployUntilUp(
    nodeProgram(`console.log("one", process.env.SVC_VERSION); setInterval(() => {}, 1e6);`),
  );
  await project.upload(nodeProgram(`require("discord.js");`));
  const { error } = await project.when(isError);
  assert.equal(error?.code, "start_failed");
  assert.match(error?.message ?? "", /Falta o módulo discord\.js/);
  assert.match(error?.message ?? "", /A versão 1 voltou ao ar\.$/);
  await project.when(async () => (await project.output()).filter((line) => line === "one 1").length === 2);
  assert.ok(pidsOf(project).length >= 4);
  assert.ok(
    (await project.output()).some((line) => line.includes("discord.js")),
    "its lines stay",
  );
  await account.client.restartProject({ id: project.id });
  await project.when(async () => (await project.output()).filter((line) => line === "one 1").length === 3);
  await project.when(isError);
});

test("a site that does not listen is taken back after a minute; one that listens stays", async () => {
  const listens = (word: string) =>
    `require("node:http").createServer((_, answer) => answer.end("${word}")).listen(process.env.PORT, "0.0.0.0"); console.log("${word}");`;
  const config = { type: "site", subdomain: "taken-back" };
  const project = await DeployedProject.create(account.client, nodeProgram(listens("one"), config));
  await project.is("running");
  await delay(2_000);
  await project.upload(nodeProgram(`console.log("deaf"); setInterval(() => {}, 1e6);`, config));
  await project.when(async () => (await project.output()).includes("deaf"));
  const begunMs = performance.now();
  const { error } = await project.when(isError, { timeoutMs: 90_000 });
  assert.ok(performance.now() - begunMs > 50_000);
  assert.match(error?.message ?? "", /Nada ouve a porta \d+.*A versão 1 voltou ao ar\.$/);
  await project.when(async () => (await project.output()).filter((line) => line === "one").length === 2);
  const told = (await project.lines()).filter(({ stream }) => stream === "system").map(({ text }) => text);
  assert.equal(
    told.filter((text) => text.includes("Nada ouve a porta")).length,
    1,
    "the reason is told once",
  );
  assert.ok(
    !told.some((text) => text.includes("Vai voltar sozinho")),
    "what was given up does not come back",
  );
  await project.upload(nodeProgram(listens("three"), config));
  await project.when(async () => (await project.output()).includes("three"));
  await delay(3_000);
  assert.equal((await project.get()).status, "running");
});

test(`an agent that is killed at random in ${rounds} updates leaves one run, of what the state says`, async (t) => {
  const project = await deployUntilUp(steady("up 1"));
  let good = 1;
  const ends: string[] = [];
  for (let number = 2; number < 2 + rounds; number++) {
    const kind = number % 3;
    const upload =
      kind === 0 ? failing : kind === 1 ? shellBot("exit 9", { installCommand: "" }) : steady(`up ${number}`);
    await project.upload(upload);
    await delay(randomInt(0, 1_500));
    await cluster.host.agent.kill();
    if (number % 2 === 0) await delay(randomInt(0, 500));
    await cluster.host.agent.start();
    const wanted = kind === 2 ? "running" : "error";
    const { status, error } = await project.when(({ status: now }) => now === wanted);
    if (kind === 2) good = number;
    await project.when(async () => (await lastUp(project)) === `up ${good}`);
    await until(() => pidsOf(project).length >= 4);
    // The host answers for its log a moment before central sends it what is wanted: an upload is refused till then.
    await cluster.untilConnected();
    ends.push(`${number}: ${status} ${error?.code ?? ""}`);
    if (kind === 2) await delay(cameUpMs);
  }
  t.diagnostic(ends.join(", "));
  assert.equal(cluster.host.runNames(project.id).length, 1, "one run");
});

async function lastUp(project: DeployedProject): Promise<string | undefined> {
  return (await project.output()).findLast((line) => line.startsWith("up "));
}
