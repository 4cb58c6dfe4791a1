/**
 * Central's database is set back, and what a host has newer cannot be taken over: the host goes on with it,
 * and central's older state overwrites nothing.
 */

import assert from "node:assert/strict";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { CentralBackup } from "../support/cluster/central-backup.ts";
import { heldAssignment } from "../support/ledger/held-assignment.ts";
import { RestoreDrill } from "../support/cluster/restore-drill.ts";
import type { SimulatedProject } from "../support/projects/simulated-project.ts";
import { until } from "../support/until.ts";

/** Returns a project that was changed since the backup, and the backup. */
async function changedSince(
  drill: RestoreDrill,
): Promise<{ project: SimulatedProject; backup: CentralBackup }> {
  const project = await drill.project({ name: "before" });
  await drill.variablesOf(project).set({ TOKEN: "before" });
  const backup = await CentralBackup.make(drill.cluster, "online");
  await drill.variablesOf(project).set({ TOKEN: "newer" });
  await project.upload("sim run", { description: "newer" });
  await until(() => heldAssignment(drill.host, project.id)?.project?.description === "newer");
  await project.is("running");
  return { project, backup };
}

/** Returns what the host has of the project, and how often it was started. */
function stateOf(drill: RestoreDrill, project: SimulatedProject): unknown {
  const held = heldAssignment(drill.host, project.id);
  return [held?.versionNumber, held?.project?.description, held?.variables, drill.startsOf(project)];
}

/** Resolves when the host has taken what central wants of it, over the newest connection. */
async function untilCompared(drill: RestoreDrill): Promise<void> {
  const marker = await drill.project();
  await until(() => heldAssignment(drill.host, marker.id) !== undefined);
  await drill.deleteProject(marker);
}

async function listed(drill: RestoreDrill, { id }: SimulatedProject): Promise<unknown> {
  const { orphans } = await drill.list();
  return orphans.flatMap((orphan) =>
    orphan.id === id ? [[orphan.isProven, orphan.heldBack, orphan.placedOn?.name]] : [],
  );
}

suite("a newer state that cannot be taken over", { concurrency: 2 }, () => {
  test("without the backup's master keys it stays on its host, and is taken over once they are back", async () => {
    await using drill = await RestoreDrill.create();
    const { cluster } = drill;
    const { project, backup } = await changedSince(drill);
    const before = stateOf(drill, project);
    const [keys, aside] = [
      join(cluster.directory, "central", "master-keys"),
      join(cluster.directory, "keys-aside"),
    ];
    await cp(keys, aside);
    await backup.restoreHere(() => rm(keys));
    await cluster.untilConnected();
    await untilCompared(drill);
    assert.deepEqual(stateOf(drill, project), before);
    assert.deepEqual(await listed(drill, project), [[true, "variables_unavailable", "host-1"]]);
    assert.match((await drill.orphan(["list"])).stdout, /before .*falta a chave mestra/);
    await assert.rejects(project.stop(), { code: "server_unavailable" });
    const refused = await drill.orphan(["remove", project.id, "--yes"]);
    assert.deepEqual([refused.code, /estado mais antigo/.test(refused.stderr)], [1, true], refused.stderr);
    await cluster.stopCentral();
    await cp(aside, keys);
    await cluster.startCentral();
    await project.when(({ description }) => description === "newer");
    assert.deepEqual(await drill.variablesOf(project).list(), { TOKEN: "newer" });
    assert.deepEqual([await listed(drill, project), stateOf(drill, project)], [[], before]);
  });

  test("without the key that signed it, it stays on its host until an operator trusts the host", async () => {
    await using drill = await RestoreDrill.create();
    const { cluster } = drill;
    const { project, backup } = await changedSince(drill);
    const before = stateOf(drill, project);
    await backup.restoreHere(async () => {
      using database = new DatabaseSync(join(cluster.directory, "central", "central.sqlite"));
      database.exec("DELETE FROM setting WHERE name = 'cluster_key'");
    });
    await cluster.untilConnected();
    await untilCompared(drill);
    assert.deepEqual(stateOf(drill, project), before);
    assert.deepEqual(await listed(drill, project), [[false, "unproven", "host-1"]]);
    const refused = await drill.orphan(["adopt", project.id, "--yes"]);
    assert.deepEqual([refused.code, /--trust-host/.test(refused.stderr)], [1, true], refused.stderr);
    await drill.adopt(project.id, "--trust-host");
    const back = await project.is("running");
    assert.deepEqual(
      [back.description, await drill.variablesOf(project).list()],
      ["newer", { TOKEN: "newer" }],
    );
    assert.deepEqual([await listed(drill, project), stateOf(drill, project)], [[], before]);
    await project.stop();
    await project.is("stopped");
  });
});
