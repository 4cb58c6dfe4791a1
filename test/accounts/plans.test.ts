/**
 * Plans: another one takes effect at once and without a restart, and a smaller one stops nothing silently.
 */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { PlanName } from "@tijolo/protocol";
import { apiRequest } from "../support/requests/api-request.ts";
import { heldAssignment } from "../support/ledger/held-assignment.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

const refused = (code: string, extra: object = {}) => ({ name: "ApiError", code, extra });
const newAccount = (plan: PlanName) =>
  cluster.createAccount({ plan, scopes: ["projects:settings", "account:read", "activity:read"] });
const changePlan = async ({ id }: TestAccount, plan: PlanName) =>
  await cluster.admin.changePlan({ accountId: id, body: { plan } });
const startsOf = ({ id }: SimulatedProject) => cluster.host.machine.startCounts.get(id) ?? 0;
const staticSite = { language: "static", command: "", root: "" };

suite("another plan", { concurrency: 4 }, () => {
  test("changes what happens after a crash, of a project that runs on meanwhile", async () => {
    const account = await newAccount("Stack");
    const project = await SimulatedProject.create(account, "sim run");
    const { hasAutoRestart, startedAt } = await project.is("running");
    assert.equal(hasAutoRestart, true);

    await changePlan(account, "Free");
    const onFree = await project.get();
    assert.deepEqual([onFree.status, onFree.startedAt, onFree.hasAutoRestart], ["running", startedAt, false]);
    await assignmentReaches(project, { hasAutoRestart: false, diskMb: 1_024 });
    assert.equal(startsOf(project), 1, "the change restarts nothing");
    cluster.host.machine.kill(project.id, new Date(cluster.clock.now()));
    const crashed = await project.is("error");
    assert.equal(crashed.error?.code, "process_exited");

    await changePlan(account, "Tower");
    await assignmentReaches(project, { hasAutoRestart: true, diskMb: 10_240 });
    assert.equal((await project.get()).status, "error", "nothing is started by it");
    await project.start();
    await project.is("running");
    cluster.host.machine.kill(project.id, new Date(cluster.clock.now()));
    await project.when(({ status, consecutiveCrashes }) => status === "running" && consecutiveCrashes === 1);
    assert.equal(startsOf(project), 3);
  });

  test("has its quotas at once", async () => {
    const account = await newAccount("Free");
    await assert.rejects(
      SimulatedProject.create(account, "sim run", { config: staticSite }),
      refused("site_not_allowed"),
    );
    await changePlan(account, "Block");
    await SimulatedProject.create(account, "sim run", { config: staticSite, start: false });
    const { account: shown } = await account.client.getAccount({});
    assert.equal(shown.plan, "Block");
    assert.deepEqual(
      [shown.memoryMb.limit, shown.projects, shown.sites],
      [2048, { limit: 5, used: 1, free: 4 }, { limit: 2, used: 1, free: 1 }],
    );
  });

  test("that is smaller stops nothing, says what does not fit any more, and lets its owner come back below it", async () => {
    const account = await newAccount("Block");
    const bots = [];
    for (const memoryMb of [1024, 512, 256]) {
      const bot = await SimulatedProject.create(account, "sim run", { config: { memoryMb } });
      await bot.is("running");
      bots.push(bot);
    }
    const [large, middle, small] = bots;
    assert.ok(large && middle && small);
    const site = await SimulatedProject.create(account, "sim run", { config: staticSite });
    await site.is("running");

    const change = await changePlan(account, "Free");
    assert.deepEqual(change.excess, [
      { of: "memoryMb", limit: 512, used: 1856 },
      { of: "projects", limit: 2, used: 4 },
      { of: "sites", limit: 0, used: 1 },
    ]);
    assert.deepEqual(
      [change.before, change.account.plan, change.account.memoryMb.free],
      ["Block", "Free", 0],
    );
    for (const project of [...bots, site]) assert.equal((await project.get()).status, "running");

    await assert.rejects(large.restart(), refused("project_limit_reached", { limit: 2 }));
    for (const project of [large, middle, site]) {
      await project.stop();
      await project.is("stopped");
    }
    await assert.rejects(site.start(), refused("site_not_allowed"));
    await assert.rejects(
      large.start(),
      refused("plan_limit_reached", { freeMemoryMb: 256, requestedMemoryMb: 1024 }),
    );
    const { client } = account;
    await assert.rejects(
      client.updateProject({ id: small.id, body: { memoryMb: 384 } }),
      refused("insufficient_memory", { freeMemoryMb: 0, requestedMemoryMb: 384 }),
    );
    await client.updateProject({ id: large.id, body: { memoryMb: 256 } });
    await client.updateProject({ id: site.id, body: { name: "still mine" } });
    await large.start();
    await large.is("running");
    await assert.rejects(middle.start(), refused("project_limit_reached", { limit: 2 }));
  });

  test("has memory that stopped projects hold too: a refusal names them, and what would help", async () => {
    const account = await newAccount("Block");
    const { client } = account;
    const create = (name: string, memoryMb: number, start: boolean) =>
      SimulatedProject.create(account, "sim run", { config: { name, memoryMb }, start });
    const shop = await create("loja", 1024, false);
    const news = await create("avisos", 512, true);
    await Promise.all([shop.is("stopped"), news.is("running")]);
    const said = async (request: Promise<unknown>) => {
      const error: unknown = await request.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      return error instanceof Error ? error.message : "";
    };
    assert.match(
      await said(create("mais", 1024, false)),
      /Restam 512 MB de 2048\. .*parado.*: loja \(1024 MB, parado\), avisos \(512 MB, ligado\)\. Apague um deles ou diminua/,
    );
    assert.match(await said(create("enorme", 4096, false)), /O seu plano tem 2048 MB ao todo/);
    await changePlan(account, "Free");
    assert.match(await said(shop.start()), /O seu plano tem 512 MB ao todo/);
    await client.updateProject({ id: shop.id, body: { memoryMb: 512 } });
    assert.match(
      await said(shop.start()),
      /Restam 0 MB de 512\. Ligados agora: avisos \(512 MB\)\. Pare um deles/,
    );
  });

  test("names the projects below its minimum of memory, and lets them be until that is changed", async () => {
    const account = await newAccount("Free");
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    const { belowMinimum, excess } = await changePlan(account, "Stack");
    assert.deepEqual(belowMinimum, [{ id: project.id, name: "bot", memoryMb: 128, minimumMb: 256 }]);
    assert.deepEqual(excess, []);
    await project.is("stopped");
    const { client } = account;
    await client.updateProject({ id: project.id, body: { command: "sim print new; run" } });
    await project.upload("sim print newer; run");
    assert.equal((await project.is("stopped")).memoryMb, 128, "what is not named stays");
    await assert.rejects(
      client.updateProject({ id: project.id, body: { memoryMb: 192 } }),
      refused("invalid_config", { field: "memoryMb" }),
    );
    await client.updateProject({ id: project.id, body: { memoryMb: 256 } });
  });

  test("is in the account's activity under the operator's name, once", async () => {
    const account = await newAccount("Free");
    await changePlan(account, "Fortress");
    await changePlan(account, "Fortress");
    const { activity } = await account.client.listActivity({});
    const entries = activity.filter(({ action }) => action === "account.plan");
    assert.deepEqual(
      entries.map(({ actor, before, after }) => ({ actor, before, after })),
      [
        {
          actor: { kind: "operator", name: "first operator" },
          before: { plan: "Free" },
          after: { plan: "Fortress" },
        },
      ],
    );
  });

  test("of an account that does not exist is not_found", async () => {
    await assert.rejects(
      changePlan({ ...(await newAccount("Free")), id: "01ZZZZZZZZZZZZZZZZZZZZZZZZ" }, "Free"),
      { code: "not_found" },
    );
  });
});

test("another plan has its rates with the next request", async () => {
  await using limited = await TestCluster.create({ hasRealLimits: true, hosts: 0 });
  limited.clock.hold();
  const account = await limited.createAccount({ plan: "Free" });
  const policy = async () => {
    const { headers, status } = await apiRequest(limited.centralUrl, {
      method: "GET",
      path: "/api/projects",
      token: account.key,
    });
    return [status, headers.get("ratelimit-policy")];
  };
  assert.deepEqual(await policy(), [200, "10;w=60, 5000;w=86400"]);
  for (let request = 2; request <= 10; request++) await policy();
  assert.equal((await policy())[0], 429);
  await limited.admin.changePlan({ accountId: account.id, body: { plan: "Block" } });
  assert.deepEqual(await policy(), [200, "30;w=60, 43200;w=86400"]);
});

suite("what a run holds", { concurrency: 2 }, () => {
  test("counts until its next start, although its memory was lowered", async () => {
    const account = await newAccount("Block");
    const large = await SimulatedProject.create(account, "sim run", { config: { memoryMb: 2048 } });
    await large.is("running");
    await account.client.updateProject({ id: large.id, body: { memoryMb: 256 } });
    await assert.rejects(
      SimulatedProject.create(account, "sim run", { config: { memoryMb: 1024 } }),
      refused("insufficient_memory", { freeMemoryMb: 0, requestedMemoryMb: 1024 }),
    );
    await large.restart();
    await large.is("running");
    const second = await SimulatedProject.create(account, "sim run", { config: { memoryMb: 1024 } });
    await second.is("running");
  });

  test("may grow only as far as its host has room, else no_capacity, and nothing changes", async () => {
    await using own = await TestCluster.create();
    const account = await own.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    await project.is("stopped");
    const [host] = await own.operator.hosts();
    assert.ok(host?.resources);
    const { db } = own.central.app;
    await db
      .updateTable("host")
      .set({ resources: JSON.stringify({ ...host.resources, memoryMb: 2_048 }) })
      .execute();
    await assert.rejects(
      account.client.updateProject({ id: project.id, body: { memoryMb: 2_048 } }),
      refused("no_capacity"),
    );
    assert.equal((await project.get()).memoryMb, 256);
    await account.client.updateProject({ id: project.id, body: { memoryMb: 512 } });
  });
});

suite("an operator finds accounts", () => {
  const find = async (reference: string) =>
    (await cluster.admin.listAccounts({ query: { reference } })).accounts;

  test("by id and by name, and all that have one name", async () => {
    const { id } = (await cluster.admin.createAccount({ body: { name: "Padaria Ÿ", plan: "Block" } }))
      .account;
    assert.deepEqual(
      (await find(id)).map((found) => found.id),
      [id],
    );
    assert.deepEqual(
      (await find("Padaria Ÿ")).map((found) => found.id),
      [id],
    );
    const { id: second } = (await cluster.admin.createAccount({ body: { name: "Padaria Ÿ", plan: "Free" } }))
      .account;
    assert.deepEqual(
      (await find("Padaria Ÿ")).map((found) => found.id),
      [id, second],
    );
    assert.deepEqual(await find("nobody"), []);
  });

  test("in a list that shows plan, standing and usage", async () => {
    const account = await newAccount("Tower");
    await SimulatedProject.create(account, "sim run", { start: false, config: { memoryMb: 300 } });
    const list = (await cluster.admin.listAccounts()).accounts;
    const shown = list.find(({ id }) => id === account.id);
    assert.deepEqual(
      [
        shown?.plan,
        shown?.memoryMb,
        shown?.projects.used,
        shown?.sites.used,
        shown?.suspendedAt,
        shown?.betaEndsAt,
      ],
      ["Tower", { limit: 8192, used: 300, free: 7892 }, 1, 0, null, null],
    );
  });
});

/** Waits until the agent has stored what follows from the plan. */
async function assignmentReaches(
  { id }: SimulatedProject,
  expected: { hasAutoRestart: boolean; diskMb: number },
): Promise<void> {
  await until(() => {
    const held = heldAssignment(cluster.host, id);
    return held?.hasAutoRestart === expected.hasAutoRestart && held.diskMb === expected.diskMb;
  });
}
