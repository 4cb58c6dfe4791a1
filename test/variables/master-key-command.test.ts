/** Tests `tijolo cluster master-key …` as an operator types it. */

import assert from "node:assert/strict";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { CommandLine } from "../support/commands/command-line.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { certificatesAtStart } from "../support/cluster/certificates-at-start.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

test("status and rotate name the keys and show none; a lost one is told with what to do", async () => {
  await using cluster = await TestCluster.create();
  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
  const { client } = await cluster.createAccount({ plan: "Stack" });
  const project = await SimulatedProject.create({ client }, "sim run", { start: false });
  await project.is("stopped");
  await client.setVariables({ id: project.id, body: { variables: { A: "1" } } });
  const documents = 1 + certificatesAtStart;
  const keyFile = join(cluster.directory, "central", "master-keys");
  const [oldId = "", oldKey = ""] = (await readFile(keyFile, "utf8")).trim().split(" ");

  const status = await line.run(["cluster", "master-key", "status"]);
  assert.equal(status.code, 0, status.stderr);
  assert.match(status.stdout, new RegExp(`${oldId}\\s+atual\\s+${documents}`));
  const rotated = await line.run(["cluster", "master-key", "rotate"], "en");
  assert.equal(rotated.code, 0, rotated.stderr);
  const [newId = "", newKey = ""] = (await readFile(keyFile, "utf8")).trim().split(" ");
  assert.match(rotated.stdout, new RegExp(`${newId}\\. Documents sealed anew: ${documents}\\.`));
  assert.ok(!rotated.stdout.includes(oldId));
  for (const { stdout, stderr } of [status, rotated])
    assert.ok(![oldKey, newKey].some((key) => `${stdout}${stderr}`.includes(key)));
  const { keys } = JSON.parse((await line.run(["cluster", "master-key", "status", "--json"])).stdout) as {
    keys: unknown[];
  };
  assert.deepEqual(keys, [{ id: newId, isKnown: true, documents }]);

  await cluster.stopCentral();
  await rename(keyFile, `${keyFile}.away`);
  await cluster.startCentral();
  const lost = await line.run(["cluster", "master-key", "status"]);
  assert.match(lost.stdout, new RegExp(`${newId}\\s+sumiu\\s+${documents}`));
  assert.match(lost.stderr, /Devolva-o/);
  const refused = await line.run(["cluster", "master-key", "rotate"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /devolva-o/);
});
