/**
 * A host that joined after the backup is not in the restored database: with a join token it joins anew, with
 * all its projects.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { collectArchives } from "../../central/src/app/uploads/collect-archives.ts";
import { loadIdentity, joinCluster } from "@tijolo/protocol/kit/link";
import { CentralBackup } from "../support/cluster/central-backup.ts";
import { runningCount } from "../support/ledger/exit-ledger.ts";
import { heldAssignment } from "../support/ledger/held-assignment.ts";
import { loggedLines } from "../support/logged-lines.ts";
import { RestoreDrill, writeCustomers } from "../support/cluster/restore-drill.ts";
import { TestCluster, TestHost } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

/** Has a host join, and then the first one leave: what is made now is on the one that has joined. */
async function joinAlone(cluster: TestCluster): Promise<TestHost> {
  const since = new TestHost(cluster, "host-2");
  cluster.hosts.push(since);
  await since.start();
  // Both, before one leaves: one of one connected host could still be the first.
  await cluster.untilConnected(2);
  await cluster.host.stop();
  await cluster.untilConnected(1);
  return since;
}

test("a host that joined since the backup says what it needs, joins anew, and its projects are adopted as they run", async () => {
  const { lines, logger } = loggedLines("error");
  await using drill = await RestoreDrill.create({ logger });
  const { cluster } = drill;
  const backup = await CentralBackup.make(cluster, "online");
  const since = await joinAlone(cluster);
  const project = await drill.project({ name: "made" });
  const customers = await writeCustomers(since, project.id);
  await cluster.host.start();
  await cluster.untilConnected(2);
  const hostId = since.agent?.hostId;

  await backup.restoreOnNewMachine();
  await cluster.untilConnected(1);
  const tokenFile = join(cluster.directory, "host-2-token");
  const advice = (line: string) => line.includes("tijolo cluster host add") && line.includes(tokenFile);
  await until(() => lines.some(advice), { timeoutMs: 60_000 });
  assert.equal(runningCount(since.machine, project.id), 1, "it runs on");
  assert.deepEqual((await drill.list()).orphans, []);

  await cluster.writeJoinToken(tokenFile);
  await since.stop();
  await since.start();
  await cluster.untilConnected(2);
  assert.equal(since.agent?.hostId, hostId, "what central signed for it holds");
  const { orphans } = await drill.list();
  assert.deepEqual(
    orphans.map(({ id, isRunning, isProven }) => [id, isRunning, isProven]),
    [[project.id, true, true]],
  );
  await drill.adopt(project.id);
  await project.is("running");
  assert.deepEqual([since.machine.startCounts.get(project.id), existsSync(customers)], [1, true]);
});

test("archives of a host that a restored database does not know are kept for 30 days", async () => {
  await using drill = await RestoreDrill.create();
  const { cluster } = drill;
  const backup = await CentralBackup.make(cluster, "online");
  const since = await joinAlone(cluster);
  const project = await drill.project();
  const sha256 = heldAssignment(since, project.id)?.archive?.sha256 ?? "";
  assert.notEqual(sha256, "", "the project is on the host that joined since");
  await cluster.host.start();
  await cluster.stopCentral();
  await cluster.startCentral(); // the epoch's file is newer than the backup now
  await backup.restoreHere();
  await cluster.untilConnected(1);
  const collectAfter = async (days: number) => {
    cluster.clock.advance(days * 24 * 60 * 60 * 1000);
    await collectArchives(cluster.central.app);
    return cluster.central.app.objects.has(sha256);
  };
  await until(() => cluster.central.app.inventories.areComplete(cluster.central.app));
  assert.equal(await collectAfter(1), true);
  assert.equal(await collectAfter(28), true);
  assert.equal(await collectAfter(2), false, "it is nobody's any more");
});

test("a machine that names another host's id as its former one is a new host", async () => {
  await using cluster = await TestCluster.create();
  const formerHostId = cluster.host.agent?.hostId ?? "";
  const identity = await loadIdentity(join(cluster.directory, "other.pem"));
  const token = await cluster.operator.createJoinToken();
  const { hostId } = await joinCluster({
    centralUrl: cluster.centralUrl,
    token,
    name: "other",
    identity,
    formerHostId,
  });
  assert.notEqual(hostId, formerHostId);
  assert.equal((await cluster.operator.hosts()).length, 2);
});
