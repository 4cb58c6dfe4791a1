/** Tests people who are operators: their role, second factor and confirmation, and how these end. */

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { operatorPerson } from "../support/people/operator-person.ts";
import { PanelSession } from "../support/people/panel.ts";
import { atLocalhost, SoftPasskey } from "../support/people/soft-passkey.ts";
import { challenged } from "../support/people/two-factor.ts";
import { limitedCluster } from "../support/cluster/limited-cluster.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const quarterMs = 15 * 60_000;

suite("people who are operators", { concurrency: 2 }, () => {
  test("a role is given by e-mail, shown in the session and in the list, and changed by giving another", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const ana = await PanelSession.signUp(cluster, { name: "Ana Lima" });
    assert.equal((await ana.client.getSession()).person.operatorRole, null);
    assert.equal((await ana.call("GET", "/cluster/hosts")).code, "invalid_operator_token");
    const body = { email: ana.email.toUpperCase(), role: "viewer" } as const;
    const { operator } = await cluster.admin.addOperatorPerson({ body });
    assert.deepEqual(
      { ...operator, id: "", createdAt: "" },
      {
        id: "",
        kind: "person",
        name: "Ana Lima",
        email: ana.email,
        role: "viewer",
        hasTwoFactor: false,
        prefix: "",
        expiresAt: null,
        createdAt: "",
      },
    );
    assert.equal((await ana.client.getSession()).person.operatorRole, "viewer");
    await cluster.admin.addOperatorPerson({ body: { ...body, role: "operator" } });
    const { operators } = await cluster.admin.listOperators();
    assert.deepEqual(
      operators.map(({ kind, name, email, role }) => [kind, name, email, role]),
      [
        ["token", "first operator", null, "owner"],
        ["person", "Ana Lima", ana.email, "operator"],
      ],
    );
    const unknown = { email: "ninguem@example.com", role: "viewer" } as const;
    await assert.rejects(cluster.admin.addOperatorPerson({ body: unknown }), { code: "not_found" });
  });

  test("looks with a second factor, changes while confirmed, and is named in the record", async () => {
    await using cluster = await TestCluster.create();
    const { ana, code } = await operatorPerson(cluster);
    assert.equal((await ana.client.listHosts()).hosts.length, 1);
    await ana.client.createInvitation({ body: {} });
    const { person } = await ana.client.getSession();
    const [entry] = (await ana.client.listAudit({ query: { limit: 1 } })).entries;
    assert.deepEqual([entry?.action, entry?.operator.name], ["createInvitation", person.name]);
    assert.equal(entry?.address, "127.0.0.1");

    cluster.clock.advance(quarterMs);
    const refused = { code: "confirmation_required", status: 403 };
    await assert.rejects(ana.client.createInvitation({ body: {} }), refused);
    assert.equal((await ana.client.listHosts()).hosts.length, 1, "looking goes on");
    assert.equal((await ana.client.listProjects()).projects.length, 0, "and so does the own account");
    const wrong = { password: "wrong" };
    await assert.rejects(ana.client.confirmSession({ body: wrong }), { code: "wrong_password" });
    const other = { password: ana.password, code: "000000" };
    await assert.rejects(ana.client.confirmSession({ body: other }), { code: "invalid_code" });
    await assert.rejects(ana.client.createInvitation({ body: {} }), refused);
    await ana.client.confirmSession({ body: { password: ana.password, code: code() } });
    await ana.client.createInvitation({ body: {} });
    cluster.clock.advance(quarterMs);
    await ana.client.confirmSession({ body: { password: ana.password } });
    await ana.client.createInvitation({ body: {} });
  });

  test("one session's confirmation is no other's; a sign-in is one", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const { ana, code } = await operatorPerson(cluster);
    cluster.clock.advance(quarterMs);
    const other = await challenged(ana);
    await other.client.signInTwoFactor({ body: { code: code() } });
    await other.client.createInvitation({ body: {} });
    await assert.rejects(ana.client.createInvitation({ body: {} }), { code: "confirmation_required" });
  });

  test("without a second factor nothing of the cluster opens, and it closes when that is turned off", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const { ana } = await operatorPerson(cluster);
    await ana.client.listHosts();
    await ana.client.endTwoFactor({ body: { password: ana.password } });
    await assert.rejects(ana.client.listHosts(), { code: "two_factor_required", status: 403 });
    assert.equal((await ana.client.getSession()).person.operatorRole, "owner", "the panel can say why");
    await ana.client.listProjects();
  });

  test("a passkey is a second factor of the sessions that it opened or confirmed, and confirms", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const ana = atLocalhost(await PanelSession.signUp(cluster));
    await cluster.admin.addOperatorPerson({ body: { email: ana.email, role: "owner" } });
    const key = new SoftPasskey();
    const { id: passkeyId } = await key.add(ana);
    const refused = { code: "two_factor_required", status: 403 };
    await assert.rejects(ana.client.listHosts(), refused, "the password alone opened this session");
    const opened = atLocalhost(ana, new Map());
    await key.signIn(opened);
    assert.ok((await opened.client.getSession()).session.hasPasskey);
    await opened.client.createInvitation({ body: {} });
    await key.confirm(ana);
    await ana.client.createInvitation({ body: {} });

    cluster.clock.advance(quarterMs);
    const stale = { code: "confirmation_required", status: 403 };
    await assert.rejects(ana.client.createInvitation({ body: {} }), stale);
    await key.confirm(ana);
    await ana.client.createInvitation({ body: {} });

    await ana.client.removePasskey({ passkeyId, body: { password: ana.password } });
    await assert.rejects(ana.client.listHosts(), refused);
    await assert.rejects(opened.client.listHosts(), refused);
    await ana.client.listProjects();
  });

  test("a passkey of somebody else, or asked for in another session, confirms nothing", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const ana = atLocalhost(await PanelSession.signUp(cluster));
    const bia = atLocalhost(await PanelSession.signUp(cluster));
    const [own, others] = [new SoftPasskey(), new SoftPasskey()];
    await own.add(ana);
    await others.add(bia);
    const wrong = { code: "invalid_passkey", status: 401 };
    await assert.rejects(others.confirm(ana), wrong);
    const elsewhere = await ana.elsewhere();
    const { options } = await elsewhere.client.beginPasskeyConfirmation();
    const credential = own.use(options, { origin: ana.centralUrl });
    await assert.rejects(ana.client.confirmSessionByPasskey({ body: { credential } }), wrong);
    const { options: signIn } = await ana.client.beginPasskeySignIn();
    const other = own.use(signIn, { origin: ana.centralUrl });
    await assert.rejects(ana.client.confirmSessionByPasskey({ body: { credential: other } }), wrong);
    assert.equal((await ana.client.getSession()).session.hasPasskey, false);
    await own.confirm(ana);
    assert.ok((await ana.client.getSession()).session.hasPasskey);
  });

  test("confirming is limited as a sign-in is", async () => {
    await using cluster = await limitedCluster();
    const ana = await PanelSession.signUp(cluster);
    for (let count = 0; count < 10; count++)
      await assert.rejects(ana.client.confirmSession({ body: { password: "wrong" } }), {
        code: "wrong_password",
      });
    const right = { password: ana.password };
    await assert.rejects(ana.client.confirmSession({ body: right }), { code: "too_many_attempts" });
  });

  test("a role that is taken ends at once, also for what is open; the account stays", async () => {
    await using cluster = await TestCluster.create();
    const { images } = cluster.host.machine;
    const gate = Promise.withResolvers<void>();
    images.gate = gate.promise;
    const { ana } = await operatorPerson(cluster, { role: "operator" });
    const pull = ana.client.pullImages({ body: { images: [{ language: "ruby", version: "3.4" }] } });
    const reading = Array.fromAsync(pull).catch(() => []);
    await until(() => images.underWay === 1);
    const { operators } = await cluster.admin.listOperators();
    const id = operators.find(({ email }) => email === ana.email)?.id ?? "";
    await cluster.admin.revokeOperator({ operatorId: id });
    await until(() => images.underWay === 0);
    gate.resolve();
    await reading;
    await assert.rejects(ana.client.listHosts(), { code: "invalid_operator_token" });
    assert.equal((await ana.client.getSession()).person.operatorRole, null);
    await assert.rejects(cluster.admin.revokeOperator({ operatorId: id }), { code: "not_found" });
  });

  test("nobody gets into the account of a person whose role is above their own", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const { ana } = await operatorPerson(cluster);
    const { ana: bia } = await operatorPerson(cluster, { role: "operator" });
    const refused = { code: "insufficient_role", extra: { requiredRole: "owner" } };
    const { accountId, email } = ana;
    for (const body of [{ email }, { accountId }])
      await assert.rejects(bia.client.createPasswordLink({ body }), refused);
    await assert.rejects(bia.client.endAccountTwoFactor({ accountId }), refused);
    await ana.client.listHosts();
    await bia.client.createPasswordLink({ body: { email: bia.email } });
    await ana.client.endAccountTwoFactor({ accountId: bia.accountId });
  });

  test("an owner always stays, whether a token or a person, and nobody reaches above their own role", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const [first] = (await cluster.admin.listOperators()).operators;
    const { ana } = await operatorPerson(cluster);
    const bia = await PanelSession.signUp(cluster);
    await ana.client.revokeOperator({ operatorId: first?.id ?? "" });
    await assert.rejects(cluster.admin.listHosts(), { code: "invalid_operator_token" });
    const lastOwner = { code: "last_owner", status: 409 };
    const [own] = (await ana.client.listOperators()).operators;
    await assert.rejects(ana.client.revokeOperator({ operatorId: own?.id ?? "" }), lastOwner);
    const lower = { email: ana.email, role: "viewer" } as const;
    await assert.rejects(ana.client.addOperatorPerson({ body: lower }), lastOwner);

    await ana.client.addOperatorPerson({ body: { email: bia.email, role: "operator" } });
    const { token } = await ana.client.addOperator({ body: { name: "plantão", role: "operator" } });
    const plain = cluster.client(token);
    const refused = { code: "insufficient_role", extra: { requiredRole: "owner" } };
    await assert.rejects(plain.addOperatorPerson({ body: lower }), refused);
    await assert.rejects(plain.revokeOperator({ operatorId: own?.id ?? "" }), refused);
    const upper = { email: bia.email, role: "owner" } as const;
    await assert.rejects(plain.addOperatorPerson({ body: upper }), refused);
  });
});
