/**
 * Tests a bot with a database of its own, and uploads that bring a file of the same name: nothing that the
 * bot wrote is lost, and one command brings it back.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CommandLine } from "../../support/commands/command-line.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram, type Upload } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

let cluster: RealCluster;
before(async () => {
  cluster = await RealCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

/**
 * Returns a bot that reads its data, adds a line, and prints what is there; `mark` makes each upload another.
 */
function bot(mark: string): Upload {
  const source = `// ${mark}
    const fs = require("node:fs");
    fs.appendFileSync("data.db", "row of ${mark};");
    fs.appendFileSync("opened.txt", "");
    const { uid } = fs.statSync("data.db");
    console.log("${mark} has", JSON.stringify(fs.readFileSync("data.db", "utf8")), uid === process.getuid());
    setInterval(() => {}, 1000);`;
  const { config, files } = nodeProgram(source);
  return {
    ...(config === undefined ? {} : { config }),
    files: { ...files, "data.db": "", "opened.txt": mark },
  };
}

test("what a bot wrote is kept when an upload brings it, too, and restored by the command", async () => {
  const { client, key } = await cluster.createAccount({ scopes: ["versions:rollback"] });
  const project = await DeployedProject.create(client, bot("one"));
  await project.prints('one has "row of one;" true');
  await project.upload(bot("two"));
  await project.prints('two has "row of two;" true');
  const eventOf = async () =>
    (await client.listProjectEvents({ id: project.id })).events.find(({ kind }) => kind === "files_replaced");
  const told = await until(eventOf);
  assert.deepEqual(told.replaced, { version: 2, count: 1, paths: ["data.db"] });

  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.operator.centralUrl, TIJOLO_KEY: key };
  const { code, stdout, stderr } = await line.run([
    "replaced",
    "restore",
    project.id,
    "2",
    "data.db",
    "--restart",
  ]);
  assert.equal(code, 0, stdout + stderr);
  await project.prints('two has "row of one;row of two;" true');
  const listed = await line.run(["replaced", "list", project.id]);
  assert.match(listed.stdout, /data\.db/, "what was in its place is kept in turn");
});
