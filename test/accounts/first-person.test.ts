/** Tests the link that makes a cluster's first person: what it makes, how often, how long, and who gets it. */

import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { limitedCluster } from "../support/cluster/limited-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

const password = "uma senha bem comprida";
/** Starts a cluster as the program does. */
async function newCluster(): Promise<TestCluster> {
  const cluster = await TestCluster.create({ hosts: 0 });
  await cluster.central.writeStartLink();
  return cluster;
}
const fileOf = (cluster: TestCluster) => join(cluster.directory, "central", "start-link");
const linkOf = async (cluster: TestCluster) => (await readFile(fileOf(cluster), "utf8")).trim();
const tokenOf = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get("token") ?? "";
const visitor = (cluster: TestCluster) => new PanelSession(cluster.centralUrl);

async function restart(cluster: TestCluster): Promise<void> {
  await cluster.stopCentral();
  await cluster.startCentral();
  await cluster.central.writeStartLink();
}

suite("the first person", { concurrency: 2 }, () => {
  test("a new cluster leaves a link that only its user can read, and stores only a hash of it", async () => {
    await using cluster = await newCluster();
    const link = await linkOf(cluster);
    assert.match(link, new RegExp(`^${cluster.central.panelUrl}/start#token=tjl_[\\w-]{43}$`));
    assert.equal((await stat(fileOf(cluster))).mode & 0o777, 0o600);
    const rows = await cluster.central.app.db.selectFrom("verification").selectAll().execute();
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(tokenOf(link).slice(4)));
  });

  test("opening it makes an owner with an account, signed in, once; then no start makes another", async () => {
    await using cluster = await newCluster();
    const token = tokenOf(await linkOf(cluster));
    const ana = visitor(cluster);
    const body = { token, email: "Ana.Lima@example.com", password };
    const answer = await ana.client.createFirstPerson({ body });
    assert.deepEqual(answer.person, {
      name: "ana.lima",
      email: "ana.lima@example.com",
      hasTwoFactor: false,
      operatorRole: "owner",
    });
    assert.deepEqual((await ana.client.getSession()).person, answer.person);
    assert.equal((await ana.client.getAccount()).account.plan, "Stack");
    await assert.rejects(ana.client.listHosts(), { code: "two_factor_required" });
    const used = { code: "invalid_start_link", status: 403 };
    const again = { body: { ...body, email: "outra@example.com" } };
    await assert.rejects(visitor(cluster).client.createFirstPerson(again), used);
    const { entries } = await cluster.admin.listAudit();
    assert.deepEqual(
      entries.map(({ action, operator, subject, after }) => [action, operator.name, subject.name, after]),
      [["createFirstPerson", "ana.lima", "ana.lima", { role: "owner", email: "ana.lima@example.com" }]],
    );
    assert.ok(!JSON.stringify(entries).includes(token));
    await restart(cluster);
    await assert.rejects(readFile(fileOf(cluster)), { code: "ENOENT" });
  });

  test("of two who open it at once, one gets in", async () => {
    await using cluster = await newCluster();
    const token = tokenOf(await linkOf(cluster));
    const outcomes = await Promise.allSettled(
      ["ana", "bia", "eva"].map((name) =>
        visitor(cluster).client.createFirstPerson({
          body: { token, name, email: `${name}@example.com`, password },
        }),
      ),
    );
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected", "rejected"]);
    assert.equal((await cluster.admin.listOperators()).operators.length, 2);
    assert.equal((await cluster.admin.listAccounts()).accounts.length, 1, "and one account is made");
  });

  test("the account of the first start becomes the person's; one of many, or somebody's, does not", async () => {
    await using cluster = await newCluster();
    const { account } = await cluster.admin.createAccount({
      body: { name: "Primeira conta", plan: "Stack" },
    });
    const body = { token: tokenOf(await linkOf(cluster)), name: "Ana", email: "ana@example.com", password };
    const ana = await visitor(cluster).client.createFirstPerson({ body });
    assert.deepEqual(ana.account, { id: account.id, name: "Primeira conta" });
    const { link } = await cluster.admin.createStartLink();
    const second = { ...body, token: link.token, name: "Bia", email: "bia@example.com" };
    const bia = await visitor(cluster).client.createFirstPerson({ body: second });
    assert.notEqual(bia.account.id, account.id);
    assert.equal(bia.person.operatorRole, "owner");
  });

  test("each start makes a new link while there is no such person, and the one before ends; so does time", async () => {
    await using cluster = await newCluster();
    const first = await linkOf(cluster);
    await restart(cluster);
    const second = await linkOf(cluster);
    assert.notEqual(second, first);
    const invalid = { code: "invalid_start_link" };
    const open = (link: string) =>
      visitor(cluster).client.createFirstPerson({
        body: { token: tokenOf(link), email: "ana@example.com", password },
      });
    await assert.rejects(open(first), invalid);
    cluster.clock.advance(24 * 60 * 60_000);
    await assert.rejects(open(second), invalid);
    const { link } = await cluster.admin.createStartLink();
    assert.equal(tokenOf(link.url), link.token);
    await open(link.url);
  });

  test("a taken e-mail, another kind of link and many guesses are refused, and use nothing up", async () => {
    await using cluster = await limitedCluster();
    await cluster.central.writeStartLink();
    const ana = await PanelSession.signUp(cluster);
    const token = tokenOf(await linkOf(cluster));
    const open = (fields: { token?: string; email?: string }) =>
      visitor(cluster).client.createFirstPerson({
        body: { token, email: "bia@example.com", password, ...fields },
      });
    await assert.rejects(open({ email: ana.email }), { code: "email_taken" });
    const { invitation } = await cluster.admin.createInvitation({ body: {} });
    await assert.rejects(open({ token: invitation.token }), { code: "invalid_start_link" });
    await open({});
    for (let count = 0; count < 9; count++)
      await assert.rejects(open({ token: "x" }), { code: "invalid_start_link" });
    await assert.rejects(open({ token: "x" }), { code: "too_many_attempts" });
  });
});
