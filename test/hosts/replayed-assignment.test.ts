/** A host plays back what central gave it once: it changes nothing, and gives no other project away. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { test } from "node:test";
import type { Assignment, HeldProject } from "@tijolo/protocol";
import { takeHeld } from "../../central/src/app/host-projects/take-over.ts";
import { isProven } from "../../central/src/app/host-projects/restore-project.ts";
import { heldBy } from "../support/cluster/held-by.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

function told(assignment: Assignment): HeldProject {
  const { projectId, generation } = assignment;
  return {
    projectId,
    generation,
    assignment,
    observed: null,
    unwantedSince: null,
    isRunning: true,
    diskUsedMb: null,
  };
}

test("an assignment of before is not taken over again, and stands for no other project", async () => {
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount({
    plan: "Empresas",
    scopes: ["variables:read", "variables:write"],
  });
  const project = await SimulatedProject.create(account, "sim run");
  const other = await SimulatedProject.create(account, "sim run");
  for (const each of [project, other]) await each.is("running");
  const setToken = (token: string) =>
    account.client.setVariables({ id: project.id, body: { variables: { TOKEN: token } } });
  await setToken("revoked");
  const old = await until(() => {
    const held = heldBy(cluster.host, project.id);
    return held?.variables?.["TOKEN"] === "revoked" ? held : undefined;
  });
  const { app } = cluster.central;
  const place = { hostId: (await cluster.operator.hosts())[0]?.id ?? "", projectId: project.id };
  assert.ok(isProven(app, place, old), "it is what central signed");
  await setToken("new");

  await takeHeld(app, place.hostId, [told(old)]);
  assert.deepEqual((await account.client.listVariables({ id: project.id })).variables, { TOKEN: "new" });
  assert.ok(!isProven(app, { ...place, projectId: other.id }, old));
});

test("a state that an older central stored keeps its host from nothing", async () => {
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount({ plan: "Empresas" });
  const project = await SimulatedProject.create(account, "sim run");
  await project.is("running");
  await cluster.stopCentral();
  {
    using database = new DatabaseSync(join(cluster.directory, "central", "central.sqlite"));
    const row = database.prepare("select observed from placement where project_id = ?").get(project.id);
    const observed = {
      ...JSON.parse(String(row?.["observed"])),
      errorDetails: [{ code: "entry_missing", entry: "a\u2028b\t.js" }, { code: "unheard_of" }],
    };
    database
      .prepare("update placement set observed = ? where project_id = ?")
      .run(JSON.stringify(observed), project.id);
  }
  await cluster.startCentral();
  await cluster.untilConnected();
  await project.stop();
  await project.is("stopped");
});
