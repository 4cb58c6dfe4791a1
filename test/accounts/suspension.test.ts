/**
 * Tests suspended accounts and ended betas: what they are refused, what stops when, and that nothing brings
 * it back.
 */

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ActivityEntry } from "@tijolo/protocol";
import { runningCount } from "../support/ledger/exit-ledger.ts";
import { heldAssignment } from "../support/ledger/held-assignment.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { simulatedBot, TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const hourMs = 60 * 60 * 1000;
const staticSite = { language: "static", command: "", root: "" };
const scopes = ["projects:settings", "activity:read", "account:read"] as const;

const refused = (code: string) => ({ name: "ApiError", code, extra: {} });
const newAccount = (cluster: TestCluster, plan: "Free" | "Block" | "Stack" = "Stack") =>
  cluster.createAccount({ plan, scopes: [...scopes] });

async function suspend(cluster: TestCluster, { id }: TestAccount, graceMs?: number) {
  const body = graceMs === undefined ? {} : { graceMs };
  return cluster.admin.suspendAccount({ accountId: id, body });
}

async function resume(cluster: TestCluster, { id }: TestAccount) {
  return await cluster.admin.resumeAccount({ accountId: id });
}

async function activityOf(
  { client }: TestAccount,
  action: ActivityEntry["action"],
): Promise<ActivityEntry[]> {
  return (await client.listActivity({})).activity.filter((entry) => entry.action === action);
}

/** Asserts that a refusal answers `code`, and that what is allowed still works. */
async function assertNothingStarts(
  account: TestAccount,
  projects: { up: SimulatedProject; down: SimulatedProject },
  code: string,
) {
  const { client } = account;
  for (const project of [projects.up, projects.down]) {
    await assert.rejects(project.start(), refused(code));
    await assert.rejects(project.restart(), refused(code));
    await assert.rejects(project.upload("sim run"), refused(code));
  }
  await assert.rejects(
    client.createProject({ fields: {}, file: await simulatedBot("sim run") }),
    refused(code),
  );
  assert.equal((await client.listProjects({})).projects.length, 2);
  await client.updateProject({ id: projects.up.id, body: { name: "renamed" } });
  await client.updateProject({ id: projects.up.id, body: { command: "sim print later; run" } });
  assert.equal((await projects.up.get()).status, "running");
}

async function upAndDown(account: TestAccount): Promise<{ up: SimulatedProject; down: SimulatedProject }> {
  const up = await SimulatedProject.create(account, "sim run");
  const down = await SimulatedProject.create(account, "sim run", { start: false });
  await Promise.all([up.is("running"), down.is("stopped")]);
  return { up, down };
}

suite("a suspended account", { concurrency: 3 }, () => {
  test("starts and receives nothing, may stop, read and change settings, and is stopped when the grace is over", async () => {
    await using cluster = await TestCluster.create();
    const account = await newAccount(cluster);
    const { up, down } = await upAndDown(account);
    const stoppedByOwner = await SimulatedProject.create(await newAccount(cluster), "sim run");
    await stoppedByOwner.is("running");

    const { account: shown, running } = await suspend(cluster, account);
    assert.deepEqual(running, [{ id: up.id, name: "bot" }]);
    assert.ok(shown.suspendedAt !== null && shown.stopsAt !== null);
    assert.equal(Date.parse(shown.stopsAt) - Date.parse(shown.suspendedAt), 24 * hourMs);
    await assertNothingStarts(account, { up, down }, "account_suspended");
    assert.equal((await down.stop()).status, "stopped");

    cluster.clock.advance(23 * hourMs);
    assert.equal((await up.get()).status, "running");
    cluster.clock.advance(hourMs + 60_000);
    await up.is("stopped");
    assert.equal((await stoppedByOwner.get()).status, "running", "another account's go on");

    const stops = await activityOf(account, "project.stop");
    assert.deepEqual(
      stops.map(({ actor, project, after }) => ({ actor, project: project?.id, after })),
      [{ actor: { kind: "service", name: "Tijolo" }, project: up.id, after: { cause: "account_suspended" } }],
    );
    assert.deepEqual(
      (await activityOf(account, "account.suspend")).map(({ actor }) => actor.kind),
      ["operator"],
    );
  });

  test("that is resumed may start again, and is told what was stopped; nothing starts by itself", async () => {
    await using cluster = await TestCluster.create();
    const account = await newAccount(cluster);
    const { up, down } = await upAndDown(account);
    await suspend(cluster, account, 0);
    await up.is("stopped");
    const { account: shown, stopped } = await resume(cluster, account);
    assert.deepEqual([shown.suspendedAt, shown.stopsAt, stopped], [null, null, [{ id: up.id, name: "bot" }]]);
    assert.equal((await up.get()).status, "stopped");
    await up.start();
    await down.start();
    await Promise.all([up.is("running"), down.is("running")]);
    assert.deepEqual((await resume(cluster, account)).stopped, []);
    assert.equal((await activityOf(account, "account.resume")).length, 1);
  });

  test("that is resumed in time loses nothing, and another grace replaces the first", async () => {
    await using cluster = await TestCluster.create();
    const account = await newAccount(cluster);
    const { up } = await upAndDown(account);
    const first = await suspend(cluster, account, hourMs);
    const second = await suspend(cluster, account, 10 * hourMs);
    assert.equal(second.account.suspendedAt, first.account.suspendedAt);
    cluster.clock.advance(2 * hourMs);
    await untilReconciled(cluster);
    assert.equal((await up.get()).status, "running");
    assert.deepEqual((await resume(cluster, account)).stopped, []);
    cluster.clock.advance(20 * hourMs);
    await untilReconciled(cluster);
    assert.equal((await up.get()).status, "running");
  });

  test("that is suspended again without a grace keeps its end, before and after it; a grace moves it", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const account = await newAccount(cluster);
    const first = await suspend(cluster, account, hourMs);
    assert.deepEqual((await suspend(cluster, account)).account, first.account);
    cluster.clock.advance(2 * hourMs);
    assert.deepEqual((await suspend(cluster, account)).account, first.account, "what is over stays over");
    assert.equal(
      (await activityOf(account, "account.suspend")).length,
      1,
      "what changes nothing leaves no entry",
    );
    const moved = await suspend(cluster, account, hourMs);
    assert.ok(
      Date.parse(moved.account.stopsAt ?? "") >= Date.parse(first.account.stopsAt ?? "") + 2 * hourMs,
    );
    assert.equal((await activityOf(account, "account.suspend")).length, 2);
  });

  test("is stopped also on a host that is away: it comes back to a stop, and its own restart of a crash does not last", async () => {
    await using cluster = await TestCluster.create();
    const account = await newAccount(cluster);
    const { up } = await upAndDown(account);
    await cluster.host.stop();
    await suspend(cluster, account, 0);
    await until(
      async () =>
        (await cluster.central.app.db.selectFrom("project").selectAll().where("run", "=", "on").execute())
          .length === 0,
    );
    assert.equal(runningCount(cluster.host.machine, up.id), 1, "its host has not heard of it");
    cluster.host.machine.kill(up.id, new Date(cluster.clock.now()));

    await cluster.host.start();
    await up.is("stopped");
    assert.equal(heldAssignment(cluster.host, up.id)?.run, "off");
    await until(() => runningCount(cluster.host.machine, up.id) === 0);
    await cluster.host.stop();
    await cluster.host.start();
    await until(async () => (await cluster.connectedHosts()) === 1);
    await up.is("stopped");
    assert.equal(runningCount(cluster.host.machine, up.id), 0);
  });

  test("is stopped also while its new code installs", async () => {
    await using cluster = await TestCluster.create();
    const account = await newAccount(cluster);
    const project = await SimulatedProject.create(account, "sim run", {
      config: { installCommand: "sim gate" },
    });
    await project.is("installing");
    await suspend(cluster, account, 0);
    cluster.host.machine.openGate(project.id);
    await project.is("stopped");
    await untilReconciled(cluster);
    assert.equal((await project.get()).status, "stopped");
    assert.equal(runningCount(cluster.host.machine, project.id), 0);
  });
});

suite("an account whose beta ends", { concurrency: 3 }, () => {
  const end = async (cluster: TestCluster, { id }: TestAccount, inMs: number) =>
    (await cluster.admin.endBeta({ accountId: id, body: { inMs } })).account;

  test("starts and receives nothing until then; called off, everything is as before", async () => {
    await using cluster = await TestCluster.create();
    const account = await newAccount(cluster);
    const { up, down } = await upAndDown(account);
    assert.notEqual((await end(cluster, account, 10 * 60_000)).betaEndsAt, null);
    await assertNothingStarts(account, { up, down }, "beta_ending");
    const { betaEndsAt, plan } = (await cluster.admin.cancelBetaEnd({ accountId: account.id })).account;
    assert.deepEqual([betaEndsAt, plan], [null, "Stack"]);
    cluster.clock.advance(hourMs);
    await untilReconciled(cluster);
    await down.start();
    await Promise.all([up.is("running"), down.is("running")]);
    assert.equal((await activityOf(account, "account.beta_ending")).length, 2);
  });

  test("returns to Free: sites and the newest that do not fit stop, each with its entry; nothing is deleted", async () => {
    await using cluster = await TestCluster.create();
    const account = await newAccount(cluster);
    const create = (config: object) => SimulatedProject.create(account, "sim run", { config });
    const first = await create({ memoryMb: 256 });
    const site = await create({ ...staticSite, memoryMb: 64 });
    const large = await create({ memoryMb: 512 });
    const second = await create({ memoryMb: 256 });
    const third = await create({ memoryMb: 256 });
    const all = [first, site, large, second, third];
    for (const project of all) await project.is("running");

    await end(cluster, account, 60_000);
    cluster.clock.advance(61_000);
    for (const project of [site, large, third]) await project.is("stopped");
    for (const project of [first, second]) assert.equal((await project.get()).status, "running");
    const { account: shown } = await account.client.getAccount({});
    assert.deepEqual([shown.plan, shown.betaEndsAt, shown.projects.used], ["Free", null, 5]);
    await until(() => heldAssignment(cluster.host, first.id)?.hasAutoRestart === false);
    assert.equal(cluster.host.machine.startCounts.get(first.id), 1);

    const stops = await activityOf(account, "project.stop");
    assert.deepEqual(
      new Set(
        stops.map(({ actor, project, after }) => `${actor.kind} ${project?.id} ${String(after?.["cause"])}`),
      ),
      new Set([site, large, third].map(({ id }) => `service ${id} beta_ended`)),
    );
    const [change] = await activityOf(account, "account.plan");
    assert.deepEqual(
      [change?.actor.kind, change?.before, change?.after],
      ["service", { plan: "Stack" }, { plan: "Free" }],
    );
    await assert.rejects(site.start(), { code: "site_not_allowed" });
    await assert.rejects(third.start(), { code: "project_limit_reached" });
    await second.stop();
    await second.is("stopped");
    await third.start();
    await third.is("running");
  });
});

/** Waits until what is due now, of an account made for it, has happened: then both reconcilers have run. */
async function untilReconciled(cluster: TestCluster): Promise<void> {
  const account = await newAccount(cluster, "Block");
  const project = await SimulatedProject.create(account, "sim run");
  await project.is("running");
  await suspend(cluster, account, 0);
  await cluster.admin.endBeta({ accountId: account.id, body: { inMs: 0 } });
  await project.is("stopped");
  await until(async () => (await account.client.getAccount({})).account.plan === "Free");
}
