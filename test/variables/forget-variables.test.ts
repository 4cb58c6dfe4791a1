/**
 * Tests `tijolo cluster master-key forget-variables`: the way out for a project whose variables nobody can
 * open any more.
 */

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { MessageLanguage } from "@tijolo/cli";
import { CommandLine } from "../support/commands/command-line.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let line: CommandLine;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
  account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings", "activity:read"] });
});
after(async () => {
  await line[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const forget = (words: string, language?: MessageLanguage) =>
  line.run(["cluster", "master-key", "forget-variables", ...words.split(" ")], language);
const unavailable = { code: "variables_unavailable" };

/** Creates a running project with `A=1`. */
async function createWithVariables(): Promise<SimulatedProject> {
  const project = await SimulatedProject.create(account, "sim run");
  await project.is("running");
  await account.client.setVariables({ id: project.id, body: { variables: { A: "1" } } });
  await project.restart();
  await until(() => given(project)["A"] === "1");
  await project.is("running");
  return project;
}

const given = ({ id }: SimulatedProject) => cluster.host.machine.environments.get(`run ${id}`) ?? {};
const list = async ({ id }: SimulatedProject) => (await account.client.listVariables({ id })).variables;

test("variables that open are not forgotten, nor those of a project that has none, or that is not there", async () => {
  const project = await createWithVariables();
  const open = await forget(`${project.id} --yes`);
  assert.equal(open.code, 1);
  assert.match(open.stderr, /abrem/);
  assert.match((await forget(`${project.id} --yes`, "en")).stderr, /its owner changes them/);
  const bare = await SimulatedProject.create(account, "sim run", { start: false });
  assert.match((await forget(`${bare.id} --yes`)).stderr, /não tem variáveis/);
  assert.match((await forget(`${"0".repeat(26)} --yes`)).stderr, /not_found/);
  for (const words of ["--yes", "meu-bot --yes"]) assert.equal((await forget(words)).code, 2, words);
  assert.deepEqual(await list(project), { A: "1" });
});

test("after the key is lost the variables go only when the operator is sure, and the owner sets new ones", async () => {
  const [project, other] = [await createWithVariables(), await createWithVariables()];
  const { id } = project;
  await loseKey();
  await assert.rejects(list(project), unavailable);
  await assert.rejects(project.restart(), unavailable);

  const unsure = await forget(id);
  assert.equal(unsure.code, 1);
  assert.match(unsure.stderr, /--yes/);
  await assert.rejects(list(project), unavailable);
  const forgotten = await forget(`${id.toLowerCase()} --yes`);
  assert.equal(forgotten.code, 0, forgotten.stderr);
  assert.match(forgotten.stdout, /foram esquecidas/);
  assert.match(forgotten.stderr, /continua com as de antes/);
  const [audited] = (await cluster.client(cluster.operatorToken).listAudit()).entries;
  assert.deepEqual([audited?.action, audited?.subject.id], ["forgetVariables", id]);
  assert.deepEqual(await list(project), {});
  await assert.rejects(list(other), unavailable, "only those of the project that was named");
  assert.equal(given(project)["A"], "1", "what runs goes on");
  assert.equal(
    (await account.client.updateProject({ id, body: { description: "" } })).isRestartRequired,
    true,
  );
  const { activity } = await account.client.listActivity();
  const entry = activity.find(({ action }) => action === "project.variables");
  assert.deepEqual(
    [entry?.project?.id, entry?.actor.kind, entry?.before, entry?.after],
    [id, "operator", null, { note: "unreadable_variables_forgotten" }],
  );
  await project.restart();
  await until(() => !("A" in given(project)));
  await project.is("running");
  assert.equal(
    (await account.client.updateProject({ id, body: { description: "x" } })).isRestartRequired,
    false,
  );

  for (const { projectId } of await sealedProjects()) await forget(`${projectId} --yes`);
  await cluster.stopCentral();
  await cluster.startCentral();
  await cluster.untilConnected();
  assert.equal(
    (await account.client.setVariables({ id, body: { variables: { B: "2" } } })).isRestartRequired,
    true,
  );
  assert.deepEqual(await list(project), { B: "2" });
});

test("they are forgotten also of a project that is off while its host is away", async () => {
  const project = await createWithVariables();
  await project.stop();
  await project.is("stopped");
  await cluster.host.stop();
  await until(async () => (await cluster.connectedHosts()) === 0);
  await cluster.central.app.db
    .updateTable("project_variables")
    .set({ ciphertext: "AAAA" })
    .where("project_id", "=", project.id)
    .execute();
  const forgotten = await forget(`${project.id} --yes --json`);
  assert.deepEqual(JSON.parse(forgotten.stdout), {
    project: { id: project.id, name: "bot" },
    isRestartRequired: false,
  });
  await cluster.host.start();
  await cluster.untilConnected();
  await project.start();
  await project.is("running");
  assert.equal(given(project)["A"], undefined);
});

async function loseKey(): Promise<void> {
  await cluster.stopCentral();
  await rm(join(cluster.directory, "central", "master-keys"));
  await cluster.startCentral();
  await cluster.untilConnected();
}

async function sealedProjects(): Promise<{ projectId: string }[]> {
  return cluster.central.app.db.selectFrom("project_variables").select("project_id as projectId").execute();
}
