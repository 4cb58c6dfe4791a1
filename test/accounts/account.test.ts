/** `GET /account`: the plan and what is used of it; `GET /status`: whether the service is well. */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { account as accountSchema, plans, type OperationAnswer } from "@tijolo/protocol";
import { apiRequest } from "../support/requests/api-request.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const site = { type: "site", memoryMb: 512 };

suite("the account", { concurrency: 3 }, () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await TestCluster.create();
  });
  after(() => cluster[Symbol.asyncDispose]());

  test("shows plan, limits, what is used and what is free", async () => {
    const owner = await cluster.createAccount({ plan: "Stack", scopes: ["account:read"] });
    const { account: fresh } = await owner.client.getAccount();
    assert.ok(accountSchema.safeParse(fresh).success);
    const { requests: _, createdAt, ...rest } = fresh;
    assert.deepEqual(rest, {
      id: owner.id,
      name: "Ana",
      plan: "Stack",
      memoryMb: { limit: 4_096, used: 0, free: 4_096 },
      projects: { limit: 12, used: 0, free: 12 },
      sites: { limit: 6, used: 0, free: 6 },
      domains: { limit: 10, used: 0, free: 10 },
      suspendedAt: null,
      stopsAt: null,
      betaEndsAt: null,
    });
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    await SimulatedProject.create(owner, "sim run", { config: site, start: false });
    await SimulatedProject.create(owner, "sim run", { config: { memoryMb: 256 }, start: false });
    const { account } = await owner.client.getAccount();
    assert.deepEqual(
      [account.memoryMb, account.projects, account.sites],
      [
        { limit: 4_096, used: 768, free: 3_328 },
        { limit: 12, used: 2, free: 10 },
        { limit: 6, used: 1, free: 5 },
      ],
    );
  });

  test("what is free is never negative, on a smaller plan or while suspended", async () => {
    const owner = await cluster.createAccount({ plan: "Stack", scopes: ["account:read"] });
    for (let count = 0; count < 3; count++)
      await SimulatedProject.create(owner, "sim run", { config: site, start: false });
    await cluster.admin.changePlan({ accountId: owner.id, body: { plan: "Free" } });
    await cluster.admin.suspendAccount({ accountId: owner.id, body: {} });
    const { account } = await owner.client.getAccount();
    assert.deepEqual(
      [account.plan, account.memoryMb, account.projects, account.sites],
      [
        "Free",
        { limit: 512, used: 1_536, free: 0 },
        { limit: 2, used: 3, free: 0 },
        { limit: 0, used: 3, free: 0 },
      ],
    );
    assert.ok(
      account.suspendedAt !== null && account.stopsAt !== null && account.stopsAt > account.suspendedAt,
    );
  });

  test("counts own domains of all sites, also those that wait for DNS; a smaller plan leaves them", async () => {
    const owner = await PanelSession.signUp(cluster, { plan: "Stack" });
    const { accountId } = owner;
    const standing = async () => (await owner.client.getAccount()).account.domains;
    const sites = [];
    for (const names of [
      ["www.uma.dev", "uma.dev"],
      ["www.outra.dev", "outra.dev"],
    ]) {
      const { id } = await SimulatedProject.create(owner, "sim run", { config: site, start: false });
      for (const hostname of names) await owner.client.addDomain({ id, body: { hostname } });
      sites.push(id);
    }
    assert.deepEqual(await standing(), { limit: 10, used: 4, free: 6 });

    const { excess } = await cluster.admin.changePlan({ accountId, body: { plan: "Block" } });
    assert.deepEqual(excess, [{ of: "domains", limit: 3, used: 4 }]);
    assert.deepEqual(await standing(), { limit: 3, used: 4, free: 0 });
    const { accounts } = await cluster.admin.listAccounts();
    assert.deepEqual(accounts.find(({ id }) => id === accountId)?.domains, { limit: 3, used: 4, free: 0 });

    const [first = "", second = ""] = sites;
    await owner.client.removeDomain({ id: first, hostname: "uma.dev" });
    assert.deepEqual(await standing(), { limit: 3, used: 3, free: 0 });
    await owner.client.deleteProject({ id: second });
    assert.deepEqual(await standing(), { limit: 3, used: 1, free: 2 }, "they go with their site");
  });

  test("a key needs the scope, a session none; each sees its own account", async () => {
    const plain = await cluster.createAccount();
    await assert.rejects(plain.client.getAccount(), { name: "ApiError", code: "insufficient_scope" });
    await assert.rejects(plain.client.listActivity(), { name: "ApiError", code: "insufficient_scope" });
    const ana = await PanelSession.signUp(cluster, { name: "Ana Lima", plan: "Block" });
    const { account } = await ana.client.getAccount();
    assert.deepEqual([account.id, account.plan], [ana.accountId, "Block"]);
  });

  test("the request windows count the requests of all keys together, and none of a session", async () => {
    await using limited = await TestCluster.create({ hosts: 0, hasRealLimits: true });
    limited.clock.hold();
    const owner = await limited.createAccount({ plan: "Block", scopes: ["account:read"] });
    const second = limited.client(await limited.createKey(owner.id, "read"));
    for (let count = 0; count < 3; count++) await second.listProjects();
    const { account } = await owner.client.getAccount();
    const block = plans.get("Block");
    const { perMinute, perDay } = account.requests;
    assert.deepEqual([perMinute.limit, perDay.limit], [block?.requestsPerMinute, block?.requestsPerDay]);
    assert.deepEqual([perMinute.remaining, perDay.remaining], [30 - 4, 43_200 - 4], "three, and this one");
    assert.ok(perMinute.resetSeconds > 0 && perMinute.resetSeconds <= 60 && perDay.resetSeconds > 60);
    limited.clock.advance(60_001);
    const { requests } = (await owner.client.getAccount()).account;
    assert.deepEqual([requests.perMinute.remaining, requests.perDay.remaining], [29, 43_195]);

    const ana = await PanelSession.signUp(limited, { plan: "Block" });
    await ana.client.getAccount();
    assert.equal((await ana.client.getAccount()).account.requests.perDay.remaining, 43_200);
  });
});

suite("the service's health", () => {
  test("is down without a host, operational with all of them, degraded without some", async () => {
    await using cluster = await TestCluster.create({ hosts: 2 });
    const state = async () => {
      const { status, json } = await apiRequest(cluster.centralUrl, { method: "GET", path: "/api/status" });
      assert.equal(status, 200, "anybody may ask");
      return (json as OperationAnswer<"getHealth">).health.state;
    };
    assert.equal(await state(), "operational");
    const [first, second] = cluster.hosts;
    await first?.stop();
    await until(async () => (await state()) === "degraded");
    await second?.stop();
    await until(async () => (await state()) === "down");
    await second?.start();
    await until(async () => (await state()) === "degraded");
    const hosts = await cluster.operator.hosts();
    const silent = hosts.find((host) => host.state !== "connected");
    await cluster.admin.revokeHost({ host: silent?.id ?? "" });
    assert.equal(await state(), "operational", "a revoked host counts no more");
  });

  test("is down before the first host has joined", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const { json } = await apiRequest(cluster.centralUrl, { method: "GET", path: "/api/status" });
    assert.equal((json as OperationAnswer<"getHealth">).health.state, "down");
  });
});
