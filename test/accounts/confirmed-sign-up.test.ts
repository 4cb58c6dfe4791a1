/** Tests sign-ups that a mail's link confirms: where anybody may sign up and mail is set up. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { collectSessions } from "../../central/src/app/people/collect-sessions.ts";
import { limitedCluster, tally } from "../support/cluster/limited-cluster.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { entriesOf } from "../support/people/active-person.ts";
import { Mailbox } from "../support/people/mailbox.ts";
import { PanelSession } from "../support/people/panel.ts";
import { until } from "../support/until.ts";

const dayMs = 24 * 60 * 60 * 1000;
const confirmPage = "/sign-up/confirm?token=";
const password = "uma senha bem comprida";

let mailbox: Mailbox;
let cluster: TestCluster;
before(async () => {
  mailbox = await Mailbox.open();
  cluster = await TestCluster.create({
    hosts: 0,
    centralSettings: { ...mailbox.settings, TIJOLO_SIGN_UP: "open" },
  });
});
after(async () => {
  await cluster[Symbol.asyncDispose]();
  await mailbox[Symbol.asyncDispose]();
});

function signUp(email: string, where = cluster, name = "Bia") {
  return new PanelSession(where.central.url).call("POST", "/sign-up", { json: { name, email, password } });
}

function confirm(token: string, where = cluster) {
  return new PanelSession(where.central.url).call("POST", "/sign-up/confirm", { json: { token } });
}

async function pendingOf(email: string, where = cluster): Promise<number> {
  const { db } = where.central.app;
  const rows = await db.selectFrom("pending_sign_up").selectAll().where("email", "=", email).execute();
  return rows.length;
}

test("the account is made by the mail's link, once, and the link signs in", async () => {
  const email = "bia@example.com";
  const asked = await signUp(email);
  assert.deepEqual([asked.status, asked.json], [201, { isConfirmationRequired: true }]);
  assert.equal(asked.headers.get("set-cookie"), null);
  const token = await mailbox.takeToken(email, confirmPage);
  const browser = new PanelSession(cluster.central.url);
  const early = await browser.call("POST", "/sign-in", { json: { email, password } });
  assert.equal(early.code, "invalid_credentials");
  const { account, person } = await browser.client.confirmSignUp({ body: { token } });
  assert.deepEqual([account.name, person.email], ["Bia", email]);
  assert.equal((await browser.client.getAccount()).account.plan, "Free");
  assert.equal((await confirm(token)).code, "invalid_link");
  const { db } = cluster.central.app;
  const row = await db.selectFrom("person").selectAll().where("email", "=", email).executeTakeFirst();
  assert.equal(row?.email_verified, 1);
  assert.deepEqual(
    (await entriesOf(cluster, account.id)).map(({ action }) => action),
    ["account.sign_up"],
  );
  const later = new PanelSession(cluster.central.url);
  assert.equal((await later.call("POST", "/sign-in", { json: { email, password } })).status, 200);
});

test("the answer is the same for an e-mail that has an account, whose owner is told by mail", async () => {
  const ana = await PanelSession.signUp(cluster);
  const [known, unknown] = [await signUp(ana.email), await signUp("ninguem@example.com")];
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
  const mail = await until(() => mailbox.mails.find(({ to }) => to.includes(ana.email)), {
    timeoutMs: 20_000,
  });
  assert.match(mail.text, /já tem uma conta/);
  assert.ok(!mail.text.includes("token="));
  assert.equal(await pendingOf(ana.email), 0);
});

test("of several sign-ups with one e-mail the first that is confirmed makes the account", async () => {
  const email = "varias@example.com";
  await signUp(email, cluster, "One");
  const first = await mailbox.takeToken(email, confirmPage);
  await signUp(email, cluster, "Two");
  const second = await mailbox.takeToken(email, confirmPage);
  const answers = await Promise.all([second, first, second].map((token) => confirm(token)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(await pendingOf(email), 0);
});

test("the link is no other kind of link, and ends after a day, when what waited is removed", async () => {
  const email = "tarde@example.com";
  await signUp(email);
  const token = await mailbox.takeToken(email, confirmPage);
  const rows = JSON.stringify(await cluster.central.app.db.selectFrom("verification").selectAll().execute());
  assert.ok(!rows.includes(token.slice(4)));
  const stranger = new PanelSession(cluster.central.url);
  assert.equal(
    (await stranger.call("POST", "/password/reset", { json: { token, password } })).code,
    "invalid_link",
  );
  const { token: invitation } = (await cluster.admin.createInvitation({ body: {} })).invitation;
  assert.equal((await confirm(invitation)).code, "invalid_link");
  assert.equal(await pendingOf(email), 1);
  cluster.clock.advance(dayMs + 1000);
  assert.equal((await confirm(token)).code, "invalid_link");
  await collectSessions(cluster.central.app);
  assert.equal(await pendingOf(email), 0);
});

test("an invitation needs no confirmation; a sign-up that is closed meanwhile is not confirmed", async () => {
  await using own = await TestCluster.create({
    hosts: 0,
    centralSettings: { ...mailbox.settings, TIJOLO_SIGN_UP: "open" },
  });
  await PanelSession.signUp(own);
  const email = "fechado@example.com";
  await signUp(email, own);
  const token = await mailbox.takeToken(email, confirmPage);
  await own.stopCentral();
  own.options.centralSettings = { ...mailbox.settings, TIJOLO_SIGN_UP: "invitation" };
  await own.startCentral();
  assert.equal((await confirm(token, own)).code, "sign_up_closed");
});

test("one network signs up ten times within a while, whether the e-mails are known or not", async () => {
  await using limited = await limitedCluster({
    centralSettings: { ...mailbox.settings, TIJOLO_SIGN_UP: "open" },
  });
  const ana = await PanelSession.signUp(limited);
  const answers = [];
  for (let index = 0; index < 12; index++)
    answers.push(await signUp(index % 2 === 0 ? ana.email : `rede-${index}@example.com`, limited));
  assert.deepEqual(tally(answers), { "201 undefined": 10, "429 too_many_attempts": 2 });
});
