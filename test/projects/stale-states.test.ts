/**
 * Central may have lost what a host told it, by an older copy of its database, or heard it from a ledger that
 * is gone: it is told again.
 */

import { test } from "node:test";
import type { ObservedState } from "@tijolo/protocol";
import { saveObserved } from "../../central/src/store/tables/projects/project.ts";
import { transact } from "../../central/src/store/store.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

test("a central whose copy was made in the middle of a stop hears that the stop is over", async () => {
  await using cluster = await TestCluster.create();
  const { host } = cluster;
  const project = await SimulatedProject.create(await cluster.createAccount({ plan: "Empresas" }), "sim run");
  await project.is("running");
  await project.stop();
  await project.is("stopped");

  const { db } = cluster.central.app;
  const { taken_sequence: taken } = await db
    .selectFrom("host")
    .select("taken_sequence")
    .executeTakeFirstOrThrow();
  const { observed } = await db.selectFrom("placement").select("observed").executeTakeFirstOrThrow();
  const stopping: ObservedState = { ...(JSON.parse(observed ?? "") as ObservedState), phase: "stopping" };
  await transact(db, (tx) => saveObserved(tx, project.id, stopping));
  await db
    .updateTable("host")
    .set({ taken_sequence: taken - 1 })
    .execute();
  await project.is("running"); // as long as it is being stopped
  await cluster.stopCentral();
  await cluster.startCentral();
  await cluster.untilConnected();

  await project.is("stopped");
  await project.start();
  await project.is("running");
  await host.stop();
});
