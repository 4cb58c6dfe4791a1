/**
 * A restored database has a project where it was before it moved: it does not start there with an empty disk
 * while its newer host is away.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { saveDeparture } from "../../central/src/store/tables/hosts/departure.ts";
import { wantedChanged } from "../../central/src/store/tables/hosts/host.ts";
import { transact } from "../../central/src/store/store.ts";
import { CentralBackup } from "../support/cluster/central-backup.ts";
import { runningCount } from "../support/ledger/exit-ledger.ts";
import { heldAssignment } from "../support/ledger/held-assignment.ts";
import { RestoreDrill, writeCustomers } from "../support/cluster/restore-drill.ts";
import type { SimulatedProject } from "../support/projects/simulated-project.ts";
import type { TestHost } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const hourMs = 60 * 60 * 1000;

/**
 * A project that has moved since the backup; its first host holds nothing of it any more, and its newer host
 * is away.
 */
async function movedSince(
  drill: RestoreDrill,
): Promise<{ project: SimulatedProject; backup: CentralBackup; here: TestHost; there: TestHost }> {
  const { cluster } = drill;
  const project = await drill.project();
  const [here, there] = cluster.hosts.toSorted(
    (one, other) => runningCount(other.machine, project.id) - runningCount(one.machine, project.id),
  );
  assert.ok(here?.agent && there?.agent);
  const [from, to] = [here.agent.hostId, there.agent.hostId];
  const backup = await CentralBackup.make(cluster, "online");
  await transact(cluster.central.app.db, async (tx) => {
    await tx
      .updateTable("placement")
      .set({ host_id: to, generation: 2 })
      .where("project_id", "=", project.id)
      .execute();
    await saveDeparture(tx, {
      hostId: from,
      projectId: project.id,
      reason: "moved",
      createdAt: cluster.clock.now(),
    });
    for (const id of [from, to]) await wantedChanged(tx, id, [project.id]);
  });
  await cluster.stopCentral();
  await cluster.startCentral();
  await until(
    () => runningCount(there.machine, project.id) === 1 && runningCount(here.machine, project.id) === 0,
  );
  cluster.clock.advance(25 * hourMs);
  await here.stop();
  await here.start();
  await until(() => {
    const isRemoved = !existsSync(join(here.dataDirectory, "projects", project.id));
    return isRemoved && heldAssignment(here, project.id) === undefined;
  });
  await there.stop();
  return { project, backup, here, there };
}

/** Resolves when the host has taken what central wants of it, over the newest connection. */
async function untilCompared(drill: RestoreDrill, host: TestHost): Promise<void> {
  const marker = await drill.project();
  await until(() => heldAssignment(host, marker.id) !== undefined);
}

test("it waits for the host that has it, which then goes on with it", async () => {
  await using drill = await RestoreDrill.create({ hosts: 2 });
  const { project, backup, here, there } = await movedSince(drill);
  const customers = await writeCustomers(there, project.id);
  const starts = here.machine.startCounts.get(project.id);
  await backup.restoreHere();
  await drill.cluster.untilConnected(1);
  await untilCompared(drill, here);
  assert.equal(heldAssignment(here, project.id), undefined);
  await assert.rejects(project.stop(), { code: "server_unavailable" });
  await there.start();
  await project.is("running");
  await until(async () => (await drill.list()).restored.some(({ note }) => note === "taken_over"));
  assert.equal(runningCount(there.machine, project.id), 1);
  assert.deepEqual([here.machine.startCounts.get(project.id), existsSync(customers)], [starts, true]);
});

test("it is installed anew once every other host has told that it has nothing of it, or was revoked", async () => {
  await using drill = await RestoreDrill.create({ hosts: 2 });
  const { project, backup, here, there } = await movedSince(drill);
  const { hosts } = drill.cluster;
  const gone = (await drill.cluster.operator.hosts()).find(({ name }) => name === there.name);
  await backup.restoreHere();
  await drill.cluster.untilConnected(1);
  await untilCompared(drill, here);
  assert.equal(heldAssignment(here, project.id), undefined);
  assert.equal(hosts.length, 2);
  await drill.cluster.admin.revokeHost({ host: gone?.id ?? "" });
  await until(() => runningCount(here.machine, project.id) === 1);
  assert.deepEqual(
    (await drill.list()).restored.map(({ note }) => note),
    ["installed_anew"],
  );
});
