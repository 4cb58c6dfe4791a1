/**
 * A drill: central's database is set back to a backup, on its machine and on a new one, and nothing is lost
 * that was made or changed since. Operators decide of what central does not know any more.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import type { Orphan, OrphanAdopted, OrphanList } from "@tijolo/protocol";
import { CentralBackup } from "../support/central-backup.ts";
import { CommandLine } from "../support/command-line.ts";
import { runningCount } from "../support/exit-ledger.ts";
import { heldAssignment } from "../support/held-assignment.ts";
import { loggedLines } from "../support/logged-lines.ts";
import { SimulatedProject } from "../support/simulated-project.ts";
import {
  TestCluster,
  type TestAccount,
  type TestClusterOptions,
  type TestHost,
} from "../support/test-cluster.ts";
import { until } from "../support/until.ts";
import { VariablesOf } from "../support/variables-of.ts";

/** What the project wrote itself. */
async function writeCustomers({ dataDirectory }: TestHost, projectId: string): Promise<string> {
  const own = join(dataDirectory, "projects", projectId, "disk/app");
  await mkdir(own, { recursive: true });
  await writeFile(join(own, "customers.db"), "all that the project ever wrote");
  return join(own, "customers.db");
}

class Drill implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly account: TestAccount;
  readonly #line: CommandLine;

  private constructor(cluster: TestCluster, account: TestAccount, line: CommandLine) {
    this.cluster = cluster;
    this.account = account;
    this.#line = line;
  }

  static async create(options: TestClusterOptions = {}): Promise<Drill> {
    const cluster = await TestCluster.create(options);
    const line = await CommandLine.create();
    line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
    const account = await cluster.createAccount({
      plan: "Empresas",
      scopes: ["projects:settings", "variables:read", "variables:write"],
    });
    return new Drill(cluster, account, line);
  }

  get host(): TestHost {
    return this.cluster.host;
  }

  async project(config: object = {}): Promise<SimulatedProject> {
    const project = await SimulatedProject.create(this.account, "sim run", { config });
    await project.is("running");
    return project;
  }

  variablesOf(project: SimulatedProject): VariablesOf {
    return new VariablesOf(this.cluster, this.account, project);
  }

  orphan(words: readonly string[], language?: "pt" | "en") {
    return this.#line.run(["cluster", "orphan", ...words], language);
  }

  async list(): Promise<OrphanList & { orphans: Orphan[] }> {
    const list = JSON.parse((await this.orphan(["list", "--json"])).stdout) as OrphanList;
    return { ...list, orphans: list.hosts.flatMap(({ orphans }) => orphans) };
  }

  async adopt(projectId: string, ...words: string[]): Promise<OrphanAdopted> {
    const { code, stdout, stderr } = await this.orphan(["adopt", projectId, "--yes", "--json", ...words]);
    assert.equal(code, 0, stderr + stdout);
    return JSON.parse(stdout) as OrphanAdopted;
  }

  async deleteProject({ id }: SimulatedProject): Promise<void> {
    await this.cluster.client(this.cluster.operatorToken).deleteProject({ id });
  }

  startsOf({ id }: SimulatedProject): number {
    return this.host.machine.startCounts.get(id) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#line[Symbol.asyncDispose]();
    await this.cluster[Symbol.asyncDispose]();
  }
}

const drills = [
  { way: "stopped", place: "restoreHere" },
  { way: "online", place: "restoreHere" },
  { way: "stopped", place: "restoreOnNewMachine" },
  { way: "online", place: "restoreOnNewMachine" },
] as const;

suite("a database that is set back", { concurrency: 2 }, () => {
  for (const { way, place } of drills) {
    test(
      `nothing is lost that was made or changed since (backup: ${way}, ${place})`,
      { timeout: 120_000 },
      async () => {
        await using drill = await Drill.create();
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

  test("an orphan is removed when an operator says so, also where its host is away, and nothing else is", async () => {
    await using drill = await Drill.create();
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
    await using drill = await Drill.create();
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

  test("a deletion reaches a host that was away, also over restarts of central; a host that lost its ledger keeps what it is not told of", async () => {
    await using drill = await Drill.create();
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
    await using drill = await Drill.create();
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
    await project.is("stopped");
    await project.start();
    await project.is("running");
  });

  test("an account that central does not have any more is named anew, and what is not signed is not taken", async () => {
    await using drill = await Drill.create();
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
    const [orphan] = await until(async () => {
      const { orphans } = await drill.list();
      return orphans.length === 1 && orphans;
    });
    assert.deepEqual([orphan?.id, orphan?.isProven], [forged.id, false]);
    assert.deepEqual(await knownOf(known), before, "a host that claims to know more is not believed");
    const unproven = await drill.orphan(["adopt", forged.id, "--account", drill.account.id, "--yes"]);
    assert.deepEqual([unproven.code, /--trust-host/.test(unproven.stderr)], [1, true], unproven.stderr);
    await drill.adopt(forged.id, "--account", drill.account.id, "--trust-host");
  });

  test("a project that central has on another host is stopped here and kept, and runs where the operator says", async () => {
    await using drill = await Drill.create({ hosts: 2 });
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

  test("a central that is set back to before a restore comes out above it, and the one before it leads nobody any more", async () => {
    const { lines, logger } = loggedLines("error");
    await using drill = await Drill.create({ logger });
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
    const second = (await readFile(join(cluster.directory, "central", "epoch"), "utf8")).trim();
    assert.ok(Number(second) > first + 1, second);
    // The machine that was given up comes back, with its own file of the epoch.
    await cluster.stopCentral();
    await old.putBack();
    await cluster.startCentral();
    await until(() => lines.some((line) => line.includes("must not lead")));
    assert.equal(await cluster.connectedHosts(), 0);
  });
});
