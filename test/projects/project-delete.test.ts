/** Tests `tijolo delete` as a project's owner types it, `tijolo cluster project delete` as an operator. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CommandLine } from "../support/commands/command-line.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

/** Sets up a person with a project `loja`, at a computer that knows no key. */
async function atComputer() {
  const person = await PanelSession.signUp(cluster);
  const project = await SimulatedProject.create(person, "sim run", { config: { name: "loja" } });
  const line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.central.url, TIJOLO_EMAIL: person.email };
  const names = async () => (await person.client.listProjects()).projects.map(({ name }) => name);
  return { person, project, line, names, [Symbol.asyncDispose]: () => line[Symbol.asyncDispose]() };
}

test("a person deletes a project by typing its name, and nothing else does", async () => {
  await using bench = await atComputer();
  const { line, person, project, names } = bench;
  line.isInteractive = true;
  for (const typed of ["s", "lojas", ""]) {
    line.typed = [person.password, typed];
    const { code, stderr } = await line.run(["delete", "loja"]);
    assert.deepEqual([code, /Nada foi mudado/.test(stderr)], [1, true], stderr);
  }
  assert.deepEqual(await names(), ["loja"]);
  line.typed = [person.password, "loja"];
  const { code, asked, stdout, stderr } = await line.run(["delete", "loja"]);
  assert.equal(code, 0, stderr);
  assert.match(asked[1] ?? "", /apaga loja para sempre.*nome do projeto/);
  assert.equal(stdout, "loja foi apagado.\n");
  await assert.rejects(project.get(), { name: "ApiError", code: "not_found" });
  assert.equal(
    (await person.client.listSessions()).sessions.length,
    1,
    "the command's own session has ended",
  );
});

test("a script deletes with --yes and the password on stdin; a key alone does not", async () => {
  await using bench = await atComputer();
  const { line, person, project, names } = bench;
  line.input = `${person.password}\n`;
  const refused = await line.run(["delete", project.id, "--password-stdin"]);
  assert.deepEqual([refused.code, /apagaria loja.*--yes/.test(refused.stderr)], [1, true], refused.stderr);
  assert.equal((await line.run(["delete", project.id, "--yes"])).code, 2);
  assert.deepEqual(await names(), ["loja"]);
  const { code, stdout, stderr } = await line.run([
    "delete",
    project.id,
    "--yes",
    "--password-stdin",
    "--json",
  ]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { deleted: { id: project.id, name: "loja" } });
  assert.deepEqual(await names(), []);
  const again = await line.run(["delete", "loja", "--yes", "--password-stdin"], "en");
  assert.deepEqual([again.code, /No project is called "loja"/.test(again.stderr)], [1, true], again.stderr);
});

test("an operator deletes a project of any account by its id, once somebody has said yes", async () => {
  await using bench = await atComputer();
  const { line, person, project, names } = bench;
  line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
  const refused = await line.run(["cluster", "project", "delete", project.id]);
  assert.deepEqual([refused.code, /--yes/.test(refused.stderr)], [1, true], refused.stderr);
  assert.equal((await line.run(["cluster", "project", "delete", "loja", "--yes"])).code, 2);
  assert.equal((await line.run(["cluster", "project", "delete", "--yes"])).code, 2);
  assert.deepEqual(await names(), ["loja"]);
  line.isInteractive = true;
  line.typed = ["s"];
  const { code, stderr } = await line.run(["cluster", "project", "delete", project.id.toLowerCase()]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(await names(), []);
  const [entry] = (await person.client.listActivity()).activity;
  assert.deepEqual([entry?.action, entry?.actor.kind], ["project.delete", "operator"]);
  const again = await line.run(["cluster", "project", "delete", project.id, "--yes", "--json"]);
  assert.equal((JSON.parse(again.stdout) as { error: { code: string } }).error.code, "not_found");
});
