/** An agent below protocol 5 that held more than a restored database stays protected until it is upgraded. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createLinkBackend } from "../../central/src/app/hosts/link-backend.ts";
import { wantedChanged } from "../../central/src/store/tables/host.ts";
import { transact } from "../../central/src/store/store.ts";
import { TestCluster } from "../support/test-cluster.ts";
import { until } from "../support/until.ts";

test("that an agent was ahead of the database outlives changes and restarts of central, and ends with the agent's upgrade", async () => {
  await using cluster = await TestCluster.create();
  const hostId = cluster.host.agent?.hostId ?? "";
  await cluster.host.stop();
  const backend = () => createLinkBackend(cluster.central.app, { led: async () => {}, above: async () => 1 });
  const { revision } = await backend().wantedOf(hostId, null);
  assert.equal(await backend().isAhead(hostId, revision), false);
  assert.equal(await backend().isAhead(hostId, revision + 1), true);
  for (let turn = 0; turn < 3; turn++)
    await transact(cluster.central.app.db, (tx) => wantedChanged(tx, hostId, []));
  await cluster.stopCentral();
  await cluster.startCentral();
  assert.equal(await backend().isAhead(hostId, revision + 1), true);
  await backend().takeInventory(hostId, null);
  assert.equal(await backend().isAhead(hostId, revision + 1), true, "an older agent tells none");
  await cluster.host.start();
  await until(async () => !(await backend().isAhead(hostId, revision + 1)));
});
