/** Tests who may sign up, with which invitation, as whom; and many sign-ups at once. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { limitedCluster, retryAfter, tally } from "../support/cluster/limited-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

const dayMs = 24 * 60 * 60 * 1000;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ hosts: 0 });
});
after(() => cluster[Symbol.asyncDispose]());

test("signing up makes a person, an account on the invitation's plan, and a session", async () => {
  const ana = await PanelSession.signUp(cluster, { name: "Ana Lima", plan: "Block" });
  const { session, person, account } = await ana.client.getSession();
  assert.deepEqual(person, { name: "Ana Lima", email: ana.email, hasTwoFactor: false, operatorRole: null });
  assert.deepEqual(account, { id: ana.accountId, name: "Ana Lima" });
  assert.equal(session.isCurrent, true);
  assert.equal((await ana.client.getAccount()).account.plan, "Block");
  assert.deepEqual((await ana.client.listProjects()).projects, []);
});

test("e-mails are the same in capital letters; names, e-mails and passwords are checked", async () => {
  const ana = await PanelSession.signUp(cluster);
  const other = new PanelSession(cluster.central.url);
  assert.equal(
    (await other.client.signIn({ body: { email: ana.email.toUpperCase(), password: ana.password } }))
      .isTwoFactorRequired,
    false,
  );
  const person = {
    name: "Ana",
    email: "nova@example.com",
    password: "uma senha bem comprida",
    invitation: await invitation(),
  };
  for (const [field, value] of [
    ["name", "  "],
    ["name", "x".repeat(81)],
    ["email", "nova"],
    ["password", "curta"],
    ["password", "x".repeat(201)],
    ["plan", "Empresas"],
  ] as const) {
    const answer = await other.call("POST", "/sign-up", { json: { ...person, [field]: value } });
    assert.equal(answer.code, "invalid_request", field);
    assert.equal((answer.json as { field: string }).field, field);
  }
  assert.equal(
    (await other.call("POST", "/sign-up", { json: { ...person, email: ana.email } })).code,
    "email_taken",
  );
  assert.equal(
    (await other.call("POST", "/sign-up", { json: person })).status,
    201,
    "what was refused used nothing up",
  );
});

test("50 people at once with one invitation become exactly one account", async () => {
  const token = await invitation();
  const { accounts: before } = await cluster.operator.client().listAccounts();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => signUpWith(cluster, token, `corrida-${index}@example.com`)),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const { status, code } of answers) if (status !== 201) assert.equal(code, "invalid_link");
  const { accounts: after } = await cluster.operator.client().listAccounts();
  assert.equal(after.length - before.length, 1);
  const orphans = await cluster.central.app.db
    .selectFrom("person")
    .where("email", "like", "corrida-%")
    .select("id")
    .execute();
  assert.equal(orphans.length, 1);
});

test("50 sign-ups at once with one e-mail become exactly one account", async () => {
  const tokens = await Promise.all(Array.from({ length: 50 }, () => invitation()));
  const answers = await Promise.all(tokens.map((token) => signUpWith(cluster, token, "mesmo@example.com")));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const { status, code } of answers) if (status !== 201) assert.equal(code, "email_taken");
});

test("an invitation is stored as a hash, ends after 7 days, and is no other kind of link", async () => {
  await using aging = await TestCluster.create({ hosts: 0 });
  const { token } = (await aging.operator.client().createInvitation({ body: {} })).invitation;
  const rows = JSON.stringify(await aging.central.app.db.selectFrom("verification").selectAll().execute());
  assert.ok(!rows.includes(token.slice(4)));
  const json = { token, password: "uma senha bem comprida" };
  assert.equal(
    (await new PanelSession(aging.central.url).call("POST", "/password/reset", { json })).code,
    "invalid_link",
  );
  assert.equal(
    (await new PanelSession(aging.central.url).call("POST", "/not-me", { json: { token } })).code,
    "invalid_link",
  );
  aging.clock.advance(7 * dayMs + 1000);
  assert.equal((await signUpWith(aging, token, "tarde@example.com")).code, "invalid_link");
});

test("without an invitation nobody signs up, unless the operator opens it; closed means closed", async () => {
  assert.equal((await signUpWith(cluster, undefined, "sem@example.com")).code, "sign_up_closed");
  assert.equal((await signUpWith(cluster, `tjl_${"x".repeat(43)}`, "sem@example.com")).code, "invalid_link");
  await using open = await TestCluster.create({ hosts: 0, centralSettings: { TIJOLO_SIGN_UP: "open" } });
  assert.equal((await signUpWith(open, undefined, "aberto@example.com")).status, 201);
  const [account] = (await open.operator.client().listAccounts()).accounts;
  assert.equal(account?.plan, "Free");
  const { token } = (await open.operator.client().createInvitation({ body: {} })).invitation;
  await open.stopCentral();
  open.options.centralSettings = { TIJOLO_SIGN_UP: "closed" };
  await open.startCentral();
  assert.equal((await signUpWith(open, token, "fechado@example.com")).code, "sign_up_closed");
  await assert.rejects(
    open.operator.client().createInvitation({ body: {} }),
    /TIJOLO_SIGN_UP/,
    "an invitation that nobody could use",
  );
});

async function invitation(): Promise<string> {
  return (await cluster.operator.client().createInvitation({ body: {} })).invitation.token;
}

function signUpWith(where: TestCluster, invitation: string | undefined, email: string) {
  const json = {
    name: "Bia",
    email,
    password: "uma senha bem comprida",
    ...(invitation === undefined ? {} : { invitation }),
  };
  return new PanelSession(where.central.url).call("POST", "/sign-up", { json });
}

test("where anybody may sign up, one network makes ten accounts within a while; an invitation passes, and signing in is not held up", async () => {
  await using open = await limitedCluster({ centralSettings: { TIJOLO_SIGN_UP: "open" } });
  const ana = await PanelSession.signUp(open);
  const signUp = (index: number) =>
    new PanelSession(open.central.url).call("POST", "/sign-up", {
      json: { name: "Ana", email: `aberto-${index}@example.com`, password: "uma senha bem comprida" },
    });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => signUp(index)));
  assert.deepEqual(tally(answers), { "201 undefined": 10, "429 too_many_attempts": 20 });
  assert.equal(retryAfter(await signUp(30)), 15 * 60);
  assert.equal((await ana.elsewhere()).accountId, ana.accountId);
  await PanelSession.signUp(open, { email: "convidada@example.com" });
  open.clock.advance(15 * 60_000);
  assert.equal((await signUp(30)).status, 201);
});
