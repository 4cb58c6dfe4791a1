/** Tests several hosts, joining, revoking, and agents that lie. */

import assert from "node:assert/strict";
import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { ReportEntry } from "@tijolo/protocol";
import { loadIdentity, joinCluster } from "@tijolo/protocol/kit/link";
import { RawAgent } from "../link/raw-agent.ts";
import { sampleState } from "../support/samples.ts";
import { exitRows, runningCount } from "../support/ledger/exit-ledger.ts";
import { SimulatedProject, withoutUsage } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const listHosts = async (cluster: TestCluster) => (await cluster.admin.listHosts()).hosts;
const newToken = async (cluster: TestCluster) => (await cluster.admin.createJoinToken({ body: {} })).token;

suite("hosts", { concurrency: 3 }, () => {
  test("user ids of the machine's users are refused to projects, except where an earlier agent gave them some", async () => {
    await using cluster = await TestCluster.create();
    const { host } = cluster;
    const project = await SimulatedProject.create(await cluster.createAccount(), "sim run");
    await project.is("running");
    await host.stop();
    host.settings = { TIJOLO_UID_START: "65536" };
    await assert.rejects(host.start(), /TIJOLO_UID_START must be at least 100000/);
    const home = join(host.dataDirectory, "projects", project.id, "disk", "home");
    await mkdir(home, { recursive: true });
    await chown(home, 65_536, 65_536);
    await host.start();
    await project.is("running");
    assert.equal(host.machine.startCounts.get(project.id), 1);
  });

  test("projects are placed on both of two hosts, and each runs on exactly one", async () => {
    await using cluster = await TestCluster.create({ hosts: 2 });
    const account = await cluster.createAccount({ plan: "Empresas" });
    const projects = await Promise.all(
      Array.from({ length: 8 }, () => SimulatedProject.create(account, "sim run")),
    );
    for (const project of projects) await project.is("running");
    const counts = cluster.hosts.map(
      ({ machine }) => projects.filter(({ id }) => runningCount(machine, id) === 1).length,
    );
    assert.deepEqual(counts, [4, 4]);
    for (const { id } of projects)
      assert.equal(
        cluster.hosts.reduce((sum, { machine }) => sum + (machine.startCounts.get(id) ?? 0), 0),
        1,
      );
    const summaries = await listHosts(cluster);
    assert.deepEqual(
      summaries.map(({ projects: count, reservedMemoryMb, state }) => [count, reservedMemoryMb, state]),
      [
        [4, 1024, "connected"],
        [4, 1024, "connected"],
      ],
    );

    const [first, second] = cluster.hosts;
    await first?.stop();
    await until(async () => (await cluster.connectedHosts()) === 1);
    assert.deepEqual(
      (await listHosts(cluster)).map(({ state }) => state),
      ["unknown", "connected"],
    );
    const third = await SimulatedProject.create(account, "sim run");
    await third.is("running");
    assert.equal(second?.machine.startCounts.get(third.id), 1, "a new project goes where a host answers");
    for (const { id } of projects)
      assert.equal(
        cluster.hosts.reduce((sum, { machine }) => sum + runningCount(machine, id), 0),
        1,
        "none moved",
      );
  });

  test("when a host was heard last is kept beyond central, also where central has crashed", async () => {
    await using cluster = await TestCluster.create();
    const hourMs = 60 * 60_000;
    const lastSeen = async () => Date.parse((await listHosts(cluster))[0]?.lastSeenAt ?? "");
    const { db } = cluster.central.app;
    const stored = async () =>
      (await db.selectFrom("host").select("last_seen_at").execute())[0]?.last_seen_at ?? 0;
    const helloAt = await stored();
    cluster.clock.advance(hourMs);
    await until(async () => (await stored()) >= helloAt + hourMs);
    await cluster.host.stop();
    await until(async () => (await cluster.connectedHosts()) === 0);
    const before = await lastSeen();
    cluster.clock.advance(hourMs);
    await cluster.stopCentral();
    await cluster.startCentral();
    assert.equal(await lastSeen(), before);
  });

  test("a join token lets one of 50 at once in, not a second time, and not after 15 minutes", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const joining = async (token: string, name: string) =>
      joinCluster({
        centralUrl: cluster.centralUrl,
        token,
        name,
        identity: await loadIdentity(join(cluster.directory, `${name}.pem`)),
      });
    const token = await newToken(cluster);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => joining(token, `racer-${index}`)),
    );
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    await assert.rejects(joining(token, "late"), /did not accept the token/);
    await assert.rejects(joining(`tjj_${"A".repeat(43)}`, "guess"), /did not accept the token/);
    const old = await newToken(cluster);
    cluster.clock.advance(15 * 60_000 + 1);
    await assert.rejects(joining(old, "too-late"), /did not accept the token/);
    assert.equal((await listHosts(cluster)).length, 1);
    const rows = await cluster.central.app.db.selectFrom("join_token").selectAll().execute();
    assert.ok(rows.length === 2 && !JSON.stringify(rows).includes(token), "tokens are stored as hashes");
  });

  test("a revoked host is cut at once and does not get back in", async () => {
    await using cluster = await TestCluster.create({ hosts: 2 });
    const account = await cluster.createAccount();
    const projects = await Promise.all([1, 2].map(() => SimulatedProject.create(account, "sim run")));
    for (const project of projects) await project.is("running");
    const hostId = cluster.host.agent?.hostId;
    await cluster.admin.revokeHost({ host: hostId ?? "" });
    await until(async () => (await cluster.connectedHosts()) === 1);
    const orphan = projects.find(({ id }) => runningCount(cluster.host.machine, id) === 1);
    assert.ok(orphan !== undefined);
    await assert.rejects(orphan.stop(), { name: "ApiError", code: "server_unavailable" });
    await cluster.host.stop();
    await cluster.host.start();
    const next = await SimulatedProject.create(account, "sim run");
    await next.is("running");
    assert.equal(cluster.host.machine.startCounts.get(next.id), undefined);
    assert.deepEqual((await listHosts(cluster)).map(({ id }) => id).includes(hostId ?? ""), false);
    await assert.rejects(cluster.admin.revokeHost({ host: hostId ?? "" }));
  });

  test("reports of an older generation, of a foreign host or of nothing change nothing, and are taken once", async () => {
    await using cluster = await TestCluster.create();
    const project = await SimulatedProject.create(await cluster.createAccount(), "sim run");
    const { db } = cluster.central.app;
    const before = await project.is("running");
    const identity = await loadIdentity(join(cluster.directory, "liar.pem"));
    const { hostId } = await joinCluster({
      centralUrl: cluster.centralUrl,
      token: await newToken(cluster),
      name: "liar",
      identity,
    });
    using liar = await RawAgent.open(Number(new URL(cluster.centralUrl).port));
    await liar.hello({ hostId, identity });
    const lie = (
      sequence: number,
      generation: number,
      event: ReportEntry["event"],
      projectId = project.id,
    ): ReportEntry => ({
      sequence,
      projectId,
      generation,
      event,
    });
    const state: ReportEntry["event"] = {
      kind: "state",
      state: sampleState({ phase: "failed", errorCode: "process_exited" }),
    };
    const exit: ReportEntry["event"] = {
      kind: "exit",
      runNumber: 1,
      isCrash: true,
      exit: { code: 9, isOutOfMemory: false, exitedAt: before.createdAt },
    };
    const entries = [lie(1, 1, state), lie(2, 1, exit), lie(3, 99, state), lie(4, 1, state, "0".repeat(26))];
    assert.deepEqual(await liar.call("report", { entries }), { takenSequence: 4 });
    assert.deepEqual(withoutUsage(await project.get()), withoutUsage(before));

    // Placed on the liar with a new generation, its reports of that one count, older ones do not.
    await db
      .updateTable("placement")
      .set({ host_id: hostId, generation: 2 })
      .where("project_id", "=", project.id)
      .execute();
    assert.deepEqual(await liar.call("report", { entries: [lie(5, 1, state), lie(6, 1, exit)] }), {
      takenSequence: 6,
    });
    assert.equal((await project.get()).status, "running");
    assert.deepEqual(await liar.call("report", { entries: [lie(7, 2, exit), lie(8, 2, state)] }), {
      takenSequence: 8,
    });
    assert.deepEqual(await liar.call("report", { entries: [lie(7, 2, exit), lie(8, 2, state)] }), {
      takenSequence: 8,
    });
    assert.equal((await project.get()).status, "error");
    assert.deepEqual(
      (await exitRows(cluster, project.id)).map(({ code }) => code),
      [9],
      "told twice, counted once",
    );
  });

  test("the epoch rises with each start of central, also when its file or its database is older", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const epochs = [cluster.central.epoch];
    for (let round = 0; round < 3; round++) {
      if (round === 1)
        await cluster.central.app.db
          .updateTable("setting")
          .set({ value: "1" })
          .where("name", "=", "epoch")
          .execute();
      await cluster.stopCentral();
      await cluster.startCentral();
      epochs.push(cluster.central.epoch);
    }
    assert.deepEqual(epochs, [1, 2, 3, 4]);
  });
});
