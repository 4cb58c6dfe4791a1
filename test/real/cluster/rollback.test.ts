/**
 * Tests that a real project goes back to an earlier version: its code, with what the program has written
 * since.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

let cluster: RealCluster;
before(async () => {
  cluster = await RealCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

/** Returns a program that appends its name to a file of its own and prints all that stands there. */
const program = (name: string) =>
  nodeProgram(`
    const fs = require("node:fs");
    fs.appendFileSync("runs.txt", "${name} ");
    console.log("${name} runs after", fs.readFileSync("runs.txt", "utf8").trim());
    setInterval(() => {}, 1000);
  `);

test("a rollback runs the earlier code in a container, with the files that the newer one wrote", async () => {
  const { client } = await cluster.createAccount({ plan: "Empresas", scopes: ["versions:rollback"] });
  const project = await DeployedProject.create(client, program("one"));
  await project.prints("one runs after one", 240_000);
  await project.is("running");
  await project.upload(program("two"));
  await project.prints("two runs after one two");
  const versions = async () => (await client.listVersions({ id: project.id })).versions;
  await until(async () => (await versions())[0]?.status === "live", { timeoutMs: 60_000 });
  await client.rollbackProject({ id: project.id, number: 1 });
  await project.prints("one runs after one two one");
  await until(async () => (await versions())[0]?.status === "live", { timeoutMs: 60_000 });
  const [third, , first] = await versions();
  assert.deepEqual(
    [third?.number, third?.isServing, third?.rolledBackFrom, third?.sha256],
    [3, true, 1, first?.sha256],
  );
});
