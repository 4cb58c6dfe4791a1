/**
 * A drill: central's database is set back to a backup, on its machine and on a new one, and nothing is lost
 * that was made or changed since. Operators decide of what central does not know any more.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { CentralBackup } from "../support/cluster/central-backup.ts";
import { runningCount } from "../support/ledger/exit-ledger.ts";
import { heldAssignment } from "../support/ledger/held-assignment.ts";
import { loggedLines } from "../support/logged-lines.ts";
import { rerunTransactions } from "../support/cluster/rerun-transactions.ts";
import { RestoreDrill, writeCustomers } from "../support/cluster/restore-drill.ts";
import type { TestHost } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

// Each change is one that can be run again.
rerunTransactions();

const drills = [
  { way: "stopped", place: "restoreHere" },
  { way: "online", place: "restoreHere" },
  { way: "stopped", place: "restoreOnNewMachine" },
  { way: "online", place: "restoreOnNewMachine" },
] as const;

/** Returns the highest epoch that the host's agent was led with. */
function epochSeenBy({ dataDirectory }: TestHost): number {
  using ledger = new DatabaseSync(join(dataDirectory, "ledger.sqlite"), { readOnly: true });
  return Number(ledger.prepare("SELECT epoch FROM host").get()?.["epoch"]);
}

suite("a database that is set back", { concurrency: 2 }, () => {
  for (const { way, place } of drills) {
    test(
      `nothing is lost that was made or changed since (backup: ${way}, ${place})`,
      { timeout: 120_000 },
      async () => {
        await using drill = await RestoreDrill.create();
        const { cluster, host, account } = drill;
        const changed = await drill.project({ name: "changed" });
        const deleted = await drill.project({ name: "deleted" });
        const backup = await CentralBackup.make(cluster, way);
        await cluster.untilConnected();
        // Several starts since, so that hosts have seen higher epochs than the backup leads to.
        for (let turn = 0; turn < 3; turn++) {
          await cluster.stopCentral();
          await cluster.startCentral();
          await cluster.untilConnected();
        }
        const made = await drill.project({
          name: "made",
          memoryMb: 600,
          type: "site",
          port: 8000,
          subdomain: "made-since",
        });
        await drill.variablesOf(made).set({ TOKEN: "of the made one" });
        await made.restart();
        await until(() => drill.startsOf(made) === 2);
        await made.is("running");
        await drill.variablesOf(changed).set({ TOKEN: "of the changed one" });
        await account.client.updateProject({ id: changed.id, body: { memoryMb: 400, name: "renamed" } });
        for (const text of ["second", "third"]) {
          await changed.upload("sim run", { description: text });
          await until(() => heldAssignment(host, changed.id)?.project?.description === text);
          await changed.is("running");
        }
        const customers = await Promise.all([made, changed].map(({ id }) => writeCustomers(host, id)));
        const gone = await writeCustomers(host, deleted.id);
        await drill.deleteProject(deleted);
        await until(() => !existsSync(gone) && runningCount(host.machine, deleted.id) === 0);
        const before = await changed.get();
        const starts = [made, changed].map((project) => drill.startsOf(project));

        await backup[place]();
        await cluster.untilConnected();

        // What was changed since is as it was, and has not even been restarted.
        const after = await changed.when(({ name }) => name === "renamed");
        assert.deepEqual(
          [after.status, after.memoryMb, after.description, after.createdAt, after.startedAt],
          [before.status, 400, "third", before.createdAt, before.startedAt],
        );
        assert.deepEqual(await drill.variablesOf(changed).list(), { TOKEN: "of the changed one" });
        assert.deepEqual(
          [made, changed].map((project) => drill.startsOf(project)),
          starts,
        );
        // Its next version has a number that no other bytes have.
        await changed.upload("sim run", { description: "fourth" });
        await until(() => heldAssignment(host, changed.id)?.versionNumber === 4);
        await changed.is("running");

        // What was made since runs on, unknown to central.
        assert.deepEqual(
          await Promise.all(customers.map((path) => readFile(path, "utf8"))),
          customers.map(() => "all that the project ever wrote"),
        );
        assert.equal(runningCount(host.machine, made.id), 1);
        await assert.rejects(made.get(), { code: "not_found" });
        const { orphans, restored } = await drill.list();
        const isHere = place === "restoreHere";
        assert.deepEqual(
          orphans.map((orphan) => ({
            ...orphan,
            diskUsedMb: null,
            unwantedSince: typeof orphan.unwantedSince,
          })),
          [
            {
              id: made.id,
              name: "made",
              account: { id: account.id, name: "Ana" },
              versionNumber: 1,
              isRunning: true,
              diskUsedMb: null,
              unwantedSince: "string",
              hasArchive: isHere,
              isProven: true,
              placedOn: null,
              heldBack: null,
            },
          ],
        );

        // What was deleted since is in the backup: it is installed anew, and it is said.
        await deleted.is("running");
        assert.deepEqual(
          new Map(restored.map(({ project, note }) => [project.id, note])),
          new Map([
            [changed.id, "taken_over"],
            [deleted.id, "installed_anew"],
          ]),
        );
        assert.ok(!existsSync(gone));
        const shown = await drill.orphan(["list"]);
        assert.match(shown.stdout, /made .*rodando/);
        assert.match(shown.stdout, /deleted .*instalado de novo, com o disco vazio/);
        assert.match(
          (await drill.orphan(["list"], "en")).stdout,
          /deleted .*installed anew, with an empty disk/,
        );

        // Adopted, it is what it was.
        const refused = await drill.orphan(["adopt", made.id]);
        assert.deepEqual([refused.code, /--yes/.test(refused.stderr)], [1, true]);
        const adopted = await drill.adopt(made.id);
        assert.deepEqual(adopted, {
          project: { id: made.id, name: "made", subdomain: "made-since", versionNumber: 1 },
          host: adopted.host,
          hasArchive: isHere,
          hasVariables: true,
        });
        const back = await made.is("running");
        assert.deepEqual([back.memoryMb, back.subdomain, back.type], [600, "made-since", "site"]);
        assert.deepEqual(await drill.variablesOf(made).list(), { TOKEN: "of the made one" });
        assert.equal(drill.startsOf(made), 2, "it ran on");
        assert.deepEqual((await drill.list()).orphans, []);
        await made.restart();
        await until(() => drill.startsOf(made) === 3);
        await made.is("running");
        assert.deepEqual(drill.variablesOf(made).given(), {
          ...drill.variablesOf(made).given(),
          TOKEN: "of the made one",
        });
        assert.ok(existsSync(customers[0] ?? ""));
        await drill.deleteProject(made);
        await until(() => !existsSync(customers[0] ?? "") && runningCount(host.machine, made.id) === 0);
      },
    );
  }

  test("a deletion reaches a host that was away, also over restarts of central; a host that lost its ledger keeps what it is not told of", async () => {
    await using drill = await RestoreDrill.create();
    const { cluster, host } = drill;
    const [kept, deleted] = [await drill.project(), await drill.project()];
    const customers = await Promise.all([kept, deleted].map(({ id }) => writeCustomers(host, id)));
    await host.stop();
    await drill.deleteProject(deleted);
    await cluster.stopCentral();
    await cluster.startCentral();
    for (const end of ["", "-wal", "-shm"])
      await rm(join(host.dataDirectory, `ledger.sqlite${end}`), { force: true });
    await host.start();
    await until(() => runningCount(host.machine, deleted.id) === 0 && !existsSync(customers[1] ?? ""));
    await kept.is("running");
    assert.deepEqual([existsSync(customers[0] ?? ""), runningCount(host.machine, kept.id)], [true, 1]);
    const told = () => cluster.central.app.db.selectFrom("departure").selectAll().execute();
    assert.equal((await told()).length, 1);
    await host.stop();
    await host.start();
    await until(async () => (await told()).length === 0);
  });

  test("a project that comes back without its archive says so", async () => {
    await using drill = await RestoreDrill.create();
    const { cluster, host } = drill;
    const project = await drill.project();
    const backup = await CentralBackup.make(cluster, "online");
    await drill.deleteProject(project);
    await until(() => !existsSync(join(host.dataDirectory, "projects", project.id)));
    await rm(join(cluster.directory, "central/objects/sha256"), { recursive: true });
    await backup.restoreHere();
    const { error } = await project.is("error");
    assert.deepEqual(
      [error?.code, /não está mais no serviço/.test(error?.message ?? "")],
      ["install_interrupted", true],
    );
    await project.upload("sim run");
    await project.is("running"); // it was on, and stayed wanted
  });

  test("a central that is set back to before a restore comes out above it, and the one before it leads nobody any more", async () => {
    const { lines, logger } = loggedLines("error");
    await using drill = await RestoreDrill.create({ logger });
    const { cluster } = drill;
    const backup = await CentralBackup.make(cluster, "online");
    await cluster.stopCentral();
    const old = await CentralBackup.aside(cluster);
    await backup.restoreOnNewMachine();
    await cluster.untilConnected();
    const first = cluster.central.epoch;
    assert.ok(first > 1_000_000);
    await cluster.stopCentral();
    await cluster.startCentral();
    await cluster.untilConnected();
    // The same backup once more: hosts have seen what it leads to, and more.
    await backup.restoreOnNewMachine();
    await cluster.untilConnected();
    await until(() => epochSeenBy(drill.host) > first + 1);
    // The machine that was given up comes back, with its own file of the epoch.
    await cluster.stopCentral();
    await old.putBack();
    await cluster.startCentral();
    await until(() => lines.some((line) => line.includes("must not lead")));
    assert.equal(await cluster.connectedHosts(), 0);
  });
});
