/** Tests what an operator does with orphans: lists, removes and adopts them. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { CentralBackup } from "../support/cluster/central-backup.ts";
import { runningCount } from "../support/ledger/exit-ledger.ts";
import { RestoreDrill, writeCustomers } from "../support/cluster/restore-drill.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { until } from "../support/until.ts";

suite("orphans", { concurrency: 2 }, () => {
  test("an orphan is removed when an operator says so, also where its host is away, and nothing else is", async () => {
    await using drill = await RestoreDrill.create();
    const { cluster, host } = drill;
    const known = await drill.project();
    const backup = await CentralBackup.make(cluster, "online");
    const orphans = [await drill.project(), await drill.project()];
    const customers = await Promise.all([known, ...orphans].map(({ id }) => writeCustomers(host, id)));
    const areThere = () => customers.map((path) => existsSync(path));
    await backup.restoreHere();
    await cluster.untilConnected();
    const [first, second] = orphans;
    assert.ok(first !== undefined && second !== undefined);
    const refused = await drill.orphan(["remove", known.id, "--yes"]);
    assert.deepEqual([refused.code, /não é órfão/.test(refused.stderr)], [1, true], refused.stderr);
    const { code, stdout } = await drill.orphan(["remove", first.id, "--yes", "--json"]);
    assert.deepEqual([code, (JSON.parse(stdout) as { removed: unknown }).removed], [0, { id: first.id }]);
    await until(() => runningCount(host.machine, first.id) === 0 && areThere()[1] === false);
    assert.deepEqual(areThere(), [true, false, true]);
    await host.stop();
    await until(async () => (await cluster.connectedHosts()) === 0);
    const lost = await drill.orphan(["list"]);
    assert.deepEqual([lost.code, /host-1: não respondeu/.test(lost.stderr)], [1, true]);
    assert.equal(
      (await drill.orphan(["remove", second.id, "--yes"])).code,
      1,
      "nobody says that it is anywhere",
    );
    assert.equal((await drill.orphan(["remove", second.id, "--host", "host-1", "--yes"])).code, 0);
    assert.deepEqual(areThere(), [true, false, true]);
    await host.start();
    await until(() => areThere()[2] === false);
    await known.is("running");
    assert.deepEqual([areThere(), runningCount(host.machine, known.id)], [[true, false, false], 1]);
  });

  test("an orphan of which its host has nothing but files is listed and removed, too", async () => {
    await using drill = await RestoreDrill.create();
    const { host } = drill;
    const known = await drill.project();
    await host.stop();
    const projectId = `${known.id.slice(0, -1)}${known.id.endsWith("0") ? "1" : "0"}`;
    const files = await writeCustomers(host, projectId);
    await host.start();
    await drill.cluster.untilConnected();
    await until(async () => (await drill.list()).orphans.some(({ id }) => id === projectId));
    const { code, stderr } = await drill.orphan(["remove", projectId, "--yes"]);
    assert.equal(code, 0, stderr);
    await until(() => !existsSync(files));
    await until(async () => (await drill.list()).orphans.length === 0);
    assert.equal(runningCount(host.machine, known.id), 1);
  });

  test("a project that central has on another host is stopped here and kept, and runs where the operator says", async () => {
    await using drill = await RestoreDrill.create({ hosts: 2 });
    const { cluster } = drill;
    const project = await drill.project();
    const [here, there] = cluster.hosts.toSorted(
      (one, other) => runningCount(other.machine, project.id) - runningCount(one.machine, project.id),
    );
    assert.ok(here?.agent && there?.agent);
    const customers = await writeCustomers(here, project.id);
    await here.stop();
    // As an operator who gave the first host up would have it.
    const { db } = cluster.central.app;
    await db
      .updateTable("placement")
      .set({ host_id: there.agent.hostId, generation: 2 })
      .where("project_id", "=", project.id)
      .execute();
    await cluster.stopCentral();
    await cluster.startCentral();
    await until(() => runningCount(there.machine, project.id) === 1);
    await here.start();
    await until(() => runningCount(here.machine, project.id) === 0);
    assert.ok(existsSync(customers));
    assert.equal(runningCount(there.machine, project.id), 1);
    const [orphan] = await until(async () => {
      const { orphans } = await drill.list();
      return orphans.length === 1 && orphans;
    });
    assert.deepEqual(
      [orphan?.id, orphan?.isRunning, orphan?.placedOn?.name],
      [project.id, false, there.name],
    );
    await drill.adopt(project.id);
    await until(() => runningCount(there.machine, project.id) === 0);
    const back = await until(async () => (await project.get()).status !== "creating" && project.get());
    if (back.status === "stopped") await project.start();
    await until(() => runningCount(here.machine, project.id) === 1);
    assert.equal(runningCount(there.machine, project.id), 0);
    assert.ok(existsSync(customers));
    assert.deepEqual((await drill.list()).orphans, [], "the other host has a day to let it go");
    cluster.clock.advance(25 * 60 * 60 * 1000);
    await there.stop();
    await there.start();
    await until(() => !existsSync(join(there.dataDirectory, "projects", project.id)));
  });

  test("an account that central does not have any more is named anew, and what is not signed is not taken", async () => {
    await using drill = await RestoreDrill.create();
    const { cluster, host } = drill;
    const known = await drill.project();
    const knownOf = async ({ id }: SimulatedProject) => {
      const { version_number: version, run } = await cluster.central.app.db
        .selectFrom("project")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return { version, run };
    };
    const backup = await CentralBackup.make(cluster, "online");
    const other = await cluster.createAccount({ plan: "Empresas" });
    const project = await SimulatedProject.create(other, "sim run", { config: { name: "sem-conta" } });
    await project.is("running");
    const forged = await drill.project();
    const before = await knownOf(known);
    await backup.restoreHere();
    await cluster.untilConnected();
    const refused = await drill.orphan(["adopt", project.id, "--yes"]);
    assert.deepEqual([refused.code, /--account/.test(refused.stderr)], [1, true], refused.stderr);
    assert.equal((await drill.adopt(project.id, "--account", drill.account.id)).project.name, "sem-conta");
    assert.equal((await drill.account.client.getProject({ id: project.id })).project.status, "running");
    await host.stop();
    {
      using ledger = new DatabaseSync(join(host.dataDirectory, "ledger.sqlite"));
      ledger
        .prepare("UPDATE assignment SET body = json_set(body, '$.accountId', ?) WHERE project_id = ?")
        .run(other.id, forged.id);
      ledger
        .prepare(
          "UPDATE assignment SET generation = 7, body = json_set(body, '$.versionNumber', 99, '$.generation', 7) WHERE project_id = ?",
        )
        .run(known.id);
    }
    await host.start();
    await cluster.untilConnected();
    const orphans = await until(async () => {
      const { orphans: found } = await drill.list();
      return found.length === 2 && found;
    });
    assert.deepEqual(
      new Map(orphans.map(({ id, isProven, heldBack }) => [id, { isProven, heldBack }])),
      new Map([
        [known.id, { isProven: false, heldBack: "unproven" }],
        [forged.id, { isProven: false, heldBack: null }],
      ]),
    );
    assert.deepEqual(await knownOf(known), before, "a host that claims to know more is not believed");
    const unproven = await drill.orphan(["adopt", forged.id, "--account", drill.account.id, "--yes"]);
    assert.deepEqual([unproven.code, /--trust-host/.test(unproven.stderr)], [1, true], unproven.stderr);
    await drill.adopt(forged.id, "--account", drill.account.id, "--trust-host");
  });
});
