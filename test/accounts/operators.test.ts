/** Tests operators: roles, expiry and revocation of their tokens, and the record of what they change. */

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createClient, type Client, type OperatorRole } from "@tijolo/protocol";
import { collectHistory } from "../../central/src/app/upkeep/collect-history.ts";
import { apiRequest } from "../support/requests/api-request.ts";
import { CommandLine } from "../support/commands/command-line.ts";
import { limitedCluster, request, tally, times } from "../support/cluster/limited-cluster.ts";
import { simulatedBot, TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

async function add(cluster: TestCluster, role: OperatorRole, name: string = role) {
  const { operator, token } = await cluster.admin.addOperator({ body: { name, role } });
  return { id: operator.id, token, client: cluster.client(token) };
}

const listHosts = (cluster: TestCluster, token: string) =>
  request(cluster, token, { path: "/api/cluster/hosts" });

suite("operators", { concurrency: 2 }, () => {
  test("the first is an owner without an expiry; each role may do what it is told to, and no more", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const [first, ...none] = (await cluster.admin.listOperators()).operators;
    assert.deepEqual(
      [first?.name, first?.role, first?.expiresAt, none],
      ["first operator", "owner", null, []],
    );
    const viewer = await add(cluster, "viewer");
    const operator = await add(cluster, "operator");
    const { operators } = await viewer.client.listOperators();
    assert.deepEqual(
      operators.map(({ name, role }) => [name, role]),
      [
        ["first operator", "owner"],
        ["viewer", "viewer"],
        ["operator", "operator"],
      ],
    );
    assert.ok(operators.every(({ prefix }) => /^tjo_.{8}$/.test(prefix)));
    assert.ok(!JSON.stringify(operators).includes(viewer.token));

    const refused = { code: "insufficient_role" };
    const account = await cluster.createAccount();
    await assert.rejects(viewer.client.createAccount({ body: { name: "Ana", plan: "Free" } }), refused);
    await operator.client.changePlan({ accountId: account.id, body: { plan: "Free" } });
    await assert.rejects(operator.client.rotateMasterKey(), refused);
  });

  test("nobody gives a role above their own, or takes one away", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const { client } = await add(cluster, "operator");
    const owner = await add(cluster, "owner");
    const refused = { code: "insufficient_role", extra: { requiredRole: "owner" } };
    await assert.rejects(client.addOperator({ body: { name: "x", role: "owner" } }), refused);
    await assert.rejects(client.revokeOperator({ operatorId: owner.id }), refused);
    assert.equal((await cluster.admin.listOperators()).operators.length, 3);
    const { operator } = await client.addOperator({ body: { name: "peer", role: "operator" } });
    await client.revokeOperator({ operatorId: operator.id });
  });

  test("an owner without an expiry always stays, also when two revoke each other at once", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const [first] = (await cluster.admin.listOperators()).operators;
    assert.ok(first !== undefined);
    const lastOwner = { code: "last_owner", status: 409 };
    const body = { name: "passing", role: "owner", expiresInMs: 3_600_000 } as const;
    const passing = await cluster.admin.addOperator({ body });
    await assert.rejects(cluster.admin.revokeOperator({ operatorId: first.id }), lastOwner);
    await cluster.admin.revokeOperator({ operatorId: passing.operator.id });

    const second = await add(cluster, "owner", "second");
    const outcomes = await Promise.allSettled([
      cluster.admin.revokeOperator({ operatorId: second.id }),
      second.client.revokeOperator({ operatorId: first.id }),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const answers = await Promise.all(
      [cluster.operatorToken, second.token].map((token) => listHosts(cluster, token)),
    );
    assert.deepEqual(tally(answers), { "200 undefined": 1, "401 invalid_operator_token": 1 });
  });

  test("a token that expired or was revoked is a wrong one from then on, and counts as such", async () => {
    await using cluster = await limitedCluster();
    const body = { name: "passing", role: "viewer", expiresInMs: 60_000 } as const;
    const { token } = await cluster.admin.addOperator({ body });
    const revoked = await add(cluster, "viewer");
    for (const each of [token, revoked.token]) assert.equal((await listHosts(cluster, each)).status, 200);
    cluster.clock.advance(60_000);
    await cluster.admin.revokeOperator({ operatorId: revoked.id });
    const answers = await times(6, () => listHosts(cluster, token));
    answers.push(...(await times(6, () => listHosts(cluster, revoked.token))));
    assert.deepEqual(tally(answers), { "401 invalid_operator_token": 10, "429 too_many_attempts": 2 });
    assert.equal((await listHosts(cluster, cluster.operatorToken)).status, 200, "a right one passes");
  });

  test("an account's keys and sessions are no wrong tokens, and open nothing", async () => {
    await using cluster = await limitedCluster();
    const { key } = await cluster.createAccount({ plan: "Empresas" });
    const answers = await times(12, () => listHosts(cluster, key));
    assert.deepEqual(tally(answers), { "401 invalid_operator_token": 12 });
    const [answer] = answers;
    assert.equal(
      answer?.headers.get("www-authenticate"),
      'Bearer realm="Tijolo", error="invalid_token"',
      "a client is told that a bearer is needed",
    );
    assert.equal((await request(cluster, key)).status, 404, "the key itself still works");
  });

  test("what a token holds open ends with it", async () => {
    await using cluster = await TestCluster.create();
    const { images } = cluster.host.machine;
    const gate = Promise.withResolvers<void>();
    images.gate = gate.promise;
    const operator = await add(cluster, "operator");
    const pull = operator.client.pullImages({ body: { images: [{ language: "ruby", version: "3.4" }] } });
    const reading = Array.fromAsync(pull).catch(() => []);
    await until(() => images.underWay === 1);
    await cluster.admin.revokeOperator({ operatorId: operator.id });
    await until(() => images.underWay === 0);
    gate.resolve();
    assert.ok((await reading).every(({ event }) => event === "image-progress"));
  });

  test("a pull that is cut off in the middle is not taken for a whole one", async () => {
    await using cluster = await TestCluster.create();
    const { images } = cluster.host.machine;
    const gate = Promise.withResolvers<void>();
    const operator = await add(cluster, "operator");
    await using line = await CommandLine.create();
    line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: operator.token };
    images.gate = gate.promise;
    const pulling = line.run("cluster image pull ruby 3.4".split(" "), "en");
    await until(() => images.underWay === 1);
    await cluster.admin.revokeOperator({ operatorId: operator.id });
    const { code, stderr } = await pulling;
    gate.resolve();
    assert.deepEqual([code, /cut off/.test(stderr)], [1, true], stderr);
  });

  test("there are at most a hundred", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    for (let count = 1; count < 100; count++) await add(cluster, "viewer");
    await assert.rejects(add(cluster, "viewer"), { code: "operator_limit_reached", extra: { limit: 100 } });
  });
});

suite("the record of operators' changes", { concurrency: 2 }, () => {
  test("says who changed what, from where, before and after, newest first and page by page", async () => {
    await using cluster = await TestCluster.create();
    const [host] = await cluster.operator.hosts();
    const bia = await add(cluster, "operator", "Bia");
    cluster.clock.advance(1); // in one millisecond entries have no order
    const { account } = await bia.client.createAccount({ body: { name: "Ana", plan: "Free" } });
    cluster.clock.advance(1);
    await bia.client.changePlan({ accountId: account.id, body: { plan: "Stack" } });
    cluster.clock.advance(1);
    await bia.client.updateHost({ host: "host-1", body: { memoryMb: 4_096 } });
    cluster.clock.advance(1);
    await bia.client.setImage({
      language: "ruby",
      version: "4.0",
      body: { reference: "registry.example/ruby" },
    });
    const entries = await pagesOf(cluster.admin, 2);
    assert.deepEqual(
      entries.slice(0, 4).map(({ action, operator, address, subject, before, after }) => ({
        action,
        by: [operator.id, operator.name, address],
        subject,
        before,
        after,
      })),
      [
        {
          action: "setImage",
          by: [bia.id, "Bia", "127.0.0.1"],
          subject: { kind: "image", id: null, name: "ruby 4.0" },
          before: { reference: null },
          after: { reference: "registry.example/ruby" },
        },
        {
          action: "updateHost",
          by: [bia.id, "Bia", "127.0.0.1"],
          subject: { kind: "host", id: host?.id, name: "host-1" },
          before: { memoryCapMb: host?.countedMemoryMb },
          after: { memoryCapMb: 4_096 },
        },
        {
          action: "changePlan",
          by: [bia.id, "Bia", "127.0.0.1"],
          subject: { kind: "account", id: account.id, name: null },
          before: { plan: "Free" },
          after: { plan: "Stack" },
        },
        {
          action: "createAccount",
          by: [bia.id, "Bia", "127.0.0.1"],
          subject: { kind: "account", id: account.id, name: "Ana" },
          before: null,
          after: { plan: "Free" },
        },
      ],
    );
    assert.deepEqual(
      entries.map(({ id }) => id),
      entries
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    assert.ok(!JSON.stringify(entries).includes(bia.token));
  });

  test("a project that an operator deletes is in it too, and a viewer deletes none", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount();
    const { project } = await account.client.createProject({
      fields: {},
      file: await simulatedBot("sim run"),
    });
    const viewer = await add(cluster, "viewer");
    await assert.rejects(viewer.client.deleteProject({ id: project.id }), { code: "insufficient_role" });
    await cluster.admin.deleteProject({ id: project.id });
    const [entry] = (await viewer.client.listAudit()).entries;
    assert.deepEqual(
      [entry?.action, entry?.subject],
      ["deleteProject", { kind: "project", id: project.id, name: project.name }],
    );
  });

  test("a page is bounded, a cursor that is none is refused, and what is old goes", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const ask = (query: string) =>
      apiRequest(cluster.centralUrl, {
        method: "GET",
        path: `/api/cluster/audit?${query}`,
        token: cluster.operatorToken,
      });
    for (const query of ["limit=0", "limit=201", "cursor=x", "nothing=1"])
      assert.equal((await ask(query)).code, "invalid_request", query);
    await add(cluster, "viewer");
    assert.equal((await pagesOf(cluster.admin, 1)).length, 1);
    cluster.clock.advance(181 * 24 * 60 * 60 * 1000);
    await collectHistory(cluster.central.app);
    assert.deepEqual(await pagesOf(cluster.admin, 1), []);
  });
});

test("an operator is added, listed and revoked at the command line, which shows the record in words", async () => {
  await using cluster = await TestCluster.create({ hosts: 0 });
  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
  line.now = () => cluster.clock.now();
  const run = (words: string, language?: "pt" | "en") => line.run(["cluster", ...words.split(" ")], language);
  const added = await run("operator add Bia --role viewer --expires 30d");
  assert.equal(added.code, 0, added.stderr);
  const token = added.stdout.trim();
  assert.match(token, /^tjo_[\w-]{43}$/);
  assert.equal((await listHosts(cluster, token)).status, 200);
  assert.match((await run("operator list")).stdout, /Bia +viewer +tjo_.{8}… +\S/);
  assert.equal((await run("operator add Bia --role boss")).code, 2);
  assert.equal((await run("operator add")).code, 2);

  line.environment = { ...line.environment, TIJOLO_OPERATOR_TOKEN: token };
  const refused = await run("operator revoke Bia --yes", "en");
  assert.deepEqual([refused.code, /insufficient_role/.test(refused.stderr)], [1, true], refused.stderr);
  line.environment = { ...line.environment, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
  assert.match((await run("operator revoke Bia")).stderr, /--yes/);
  assert.equal((await run("operator revoke nobody --yes")).code, 1);
  assert.match((await run("operator revoke Bia --yes")).stdout, /Bia foi revogado/);
  assert.equal((await listHosts(cluster, token)).code, "invalid_operator_token");
  const wrong = await line.run(["cluster", "host", "list"]);
  assert.equal(wrong.code, 0);

  assert.match((await run("audit")).stdout, /first operator +127\.0\.0\.1 +Revoga um operador +Bia/);
  assert.match((await run("audit", "en")).stdout, /Revokes an operator +Bia[^]*Adds an operator +Bia/);
  const page = await run("audit -n 1 --json");
  const { entries, nextCursor } = JSON.parse(page.stdout) as { entries: unknown[]; nextCursor: string };
  assert.deepEqual([entries.length, typeof nextCursor], [1, "string"]);
  assert.match((await run(`audit --cursor ${nextCursor}`)).stdout, /Cria um operador +Bia/);
  const shown = await run("audit -n 1");
  assert.match(shown.stderr, new RegExp(`--cursor ${nextCursor}`));
});

test("a client without a token gets the operators' own refusal", async () => {
  await using cluster = await TestCluster.create({ hosts: 0 });
  const client = createClient({ baseUrl: `${cluster.centralUrl}/api` });
  await assert.rejects(client.listHosts(), { code: "invalid_operator_token", status: 401 });
});

async function pagesOf(client: Client, limit: number) {
  const found = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await client.listAudit({ query: { limit, cursor } });
    assert.ok(page.entries.length <= limit);
    found.push(...page.entries);
    cursor = page.nextCursor;
  }
  return found;
}
