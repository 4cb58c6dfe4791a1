/** Forgotten passwords: links by mail and by an operator, what they are good for, and what the mails say. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  forgottenToken,
  newPassword,
  personWithKey,
  resetPage,
  resetPassword,
  signIn,
} from "../support/people/account-recovery.ts";
import { loggedLines } from "../support/logged-lines.ts";
import { Mailbox } from "../support/people/mailbox.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let mailbox: Mailbox;
let cluster: TestCluster;
before(async () => {
  mailbox = await Mailbox.open();
  cluster = await TestCluster.create({ hosts: 0, centralSettings: mailbox.settings });
});
after(async () => {
  await cluster[Symbol.asyncDispose]();
  await mailbox[Symbol.asyncDispose]();
});

test("a forgotten password is set by the mailed link, once; sessions and keys end", async () => {
  const { ana, key } = await personWithKey(cluster);
  const other = await ana.elsewhere();
  const stranger = new PanelSession(cluster.central.url);
  assert.equal((await stranger.call("POST", "/password/forgot", { json: { email: ana.email } })).status, 204);
  const token = await mailbox.takeToken(ana.email, resetPage);
  assert.equal(
    (await stranger.call("POST", "/password/reset", { json: { token, password: newPassword } })).status,
    204,
  );
  assert.equal(
    (await stranger.call("POST", "/password/reset", { json: { token, password: newPassword } })).code,
    "invalid_link",
  );
  for (const session of [ana, other])
    assert.equal((await session.call("GET", "/session")).code, "not_authenticated");
  assert.equal((await stranger.call("GET", "/projects", { token: key })).code, "invalid_api_key");
  assert.equal((await signIn(ana, ana.password)).code, "invalid_credentials");
  assert.equal((await signIn(ana, newPassword)).status, 200);
});

test("20 resets at once with one link set one password", async () => {
  const ana = await PanelSession.signUp(cluster);
  const token = await forgottenToken(ana, mailbox);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      new PanelSession(cluster.central.url).call("POST", "/password/reset", {
        json: { token, password: `${newPassword} ${index}` },
      }),
    ),
  );
  const winner = answers.findIndex(({ status }) => status === 204);
  assert.deepEqual(answers.filter(({ code }) => code === "invalid_link").length, 19);
  assert.equal((await signIn(ana, `${newPassword} ${winner}`)).status, 200);
});

test("a link is stored as a hash, ends after an hour, and with the next reset", async () => {
  const ana = await PanelSession.signUp(cluster);
  const token = await forgottenToken(ana, mailbox);
  const rows = JSON.stringify(await cluster.central.app.db.selectFrom("verification").selectAll().execute());
  assert.ok(rows.includes("password "), "it is there");
  assert.ok(!rows.includes(token) && !rows.includes(token.slice(4)));
  cluster.clock.advance(60 * 60_000 + 1000);
  assert.equal((await resetPassword(cluster, token)).code, "invalid_link");
  const first = await forgottenToken(ana, mailbox);
  const second = await forgottenToken(ana, mailbox);
  assert.equal((await resetPassword(cluster, second)).status, 204);
  assert.equal((await resetPassword(cluster, first)).code, "invalid_link");
});

test("the answer is the same for an e-mail that nobody has, and it gets no mail", async () => {
  const ana = await PanelSession.signUp(cluster);
  const stranger = new PanelSession(cluster.central.url);
  const unknown = await stranger.call("POST", "/password/forgot", { json: { email: "ninguem@example.com" } });
  const known = await stranger.call("POST", "/password/forgot", { json: { email: ana.email } });
  assert.deepEqual([unknown.status, unknown.text], [known.status, known.text]);
  assert.deepEqual([...unknown.headers.keys()], [...known.headers.keys()]);
  await mailbox.takeToken(ana.email, resetPage);
  assert.deepEqual(
    mailbox.mails.filter(({ to }) => to.includes("ninguem@example.com")),
    [],
  );
});

test("a mail server that is not there delays no answer, and says nothing about the e-mail", async () => {
  const closed = await Mailbox.open();
  const settings = closed.settings;
  await closed[Symbol.asyncDispose]();
  await using lonely = await TestCluster.create({ hosts: 0, centralSettings: settings });
  const ana = await PanelSession.signUp(lonely);
  assert.equal((await ana.call("POST", "/password/forgot", { json: { email: ana.email } })).status, 204);
  assert.equal((await ana.call("GET", "/session")).status, 200);
});

test("a mail that the server puts off is sent again", async () => {
  await using moody = await Mailbox.open();
  moody.putOff = 2;
  await using patient = await TestCluster.create({
    hosts: 0,
    centralSettings: moody.settings,
    mailBounds: { retryMs: [10, 10, 10] },
  });
  const ana = await PanelSession.signUp(patient);
  await ana.client.requestPasswordReset({ body: { email: ana.email } });
  const token = await moody.takeToken(ana.email, resetPage);
  assert.equal(moody.attempts, 3);
  await ana.client.resetPassword({ body: { token, password: newPassword } });
});

test("mails are in Portuguese and English; nothing that others chose is more than text in them", async () => {
  const ana = await PanelSession.signUp(cluster, { name: "visite https://evil.example" });
  await ana.client.requestPasswordReset({ body: { email: ana.email } });
  const mail = await until(() => mailbox.mails.find(({ to }) => to.includes(ana.email)));
  assert.match(mail.text, /Recebemos um pedido para trocar a senha/);
  assert.match(mail.text, /Somebody asked to change your account's password/);
  assert.ok(!mail.text.includes("evil.example"), "not even the name");
  await mailbox.takeToken(ana.email, resetPage);
  await ana.elsewhere({ "user-agent": "<img src=https://evil.example/x>" });
  const notice = await until(() => mailbox.mails.find(({ to }) => to.includes(ana.email)));
  const [, page = ""] = notice.text.split("Content-Type: text/html");
  assert.ok(page.includes("&#60;img src=https://evil.example/x&#62;"));
  assert.ok(!page.includes("<img"));
});

test("without a mail server, the log says that an operator can issue the link, and no token", async () => {
  const { lines, logger } = loggedLines("info");
  await using silent = await TestCluster.create({ hosts: 0, logger });
  const ana = await PanelSession.signUp(silent);
  await ana.client.requestPasswordReset({ body: { email: ana.email } });
  const line = await until(() => lines.find((text) => text.includes("an operator can issue one")));
  assert.ok(line.includes(ana.accountId));
  assert.ok(!lines.join("").includes("tjl_"));
  const { token, url } = (await silent.operator.client().createPasswordLink({ body: { email: ana.email } }))
    .link;
  assert.equal(url, `${silent.central.panelUrl}${resetPage}${token}`);
  await ana.client.resetPassword({ body: { token, password: newPassword } });
  assert.equal((await signIn(ana, newPassword)).status, 200);
});

test("an account that an operator made gets its person by a link", async () => {
  const account = await cluster.createAccount();
  await assert.rejects(
    cluster.operator.client().createPasswordLink({ body: { accountId: account.id } }),
    /email/,
  );
  await assert.rejects(cluster.operator.client().createPasswordLink({ body: {} }), /accountId ou email/);
  const ana = await PanelSession.signUp(cluster);
  await assert.rejects(
    cluster.operator.client().createPasswordLink({ body: { accountId: account.id, email: ana.email } }),
    /e-mail/,
  );
  const input = { accountId: account.id, email: "Velha@Example.com", name: "Velha" };
  const { token, email } = (await cluster.operator.client().createPasswordLink({ body: input })).link;
  assert.equal(email, "velha@example.com");
  const velha = new PanelSession(cluster.central.url);
  Object.assign(velha, { email: "velha@example.com" });
  assert.equal((await signIn(velha, "")).code, "invalid_request");
  assert.equal((await signIn(velha, "qualquer coisa")).code, "invalid_credentials", "no password is set yet");
  await velha.client.resetPassword({ body: { token, password: newPassword } });
  await velha.client.signIn({ body: { email: "velha@example.com", password: newPassword } });
  const { account: own, person } = await velha.client.getSession();
  assert.deepEqual([own.id, person.name], [account.id, "Velha"]);
  const { activity } = await velha.client.listActivity();
  const request = activity.find(({ action }) => action === "account.password_reset_request");
  assert.deepEqual([request?.before, request?.after], [null, { email: "velha@example.com", name: "Velha" }]);
});

test("a link for an account's person is for that person only: another e-mail is refused, and leaves nothing", async () => {
  const ana = await PanelSession.signUp(cluster);
  const rui = await PanelSession.signUp(cluster);
  for (const email of ["outra@example.com", rui.email]) {
    const refused = cluster.operator
      .client()
      .createPasswordLink({ body: { accountId: ana.accountId, email } });
    await assert.rejects(refused, new RegExp(ana.email));
  }
  const made = async () =>
    (await ana.client.listActivity()).activity.filter(
      ({ action }) => action === "account.password_reset_request",
    );
  assert.deepEqual(await made(), []);
  for (const input of [
    { email: ana.email },
    { accountId: ana.accountId },
    { accountId: ana.accountId, email: ana.email.toUpperCase() },
  ]) {
    assert.equal((await cluster.operator.client().createPasswordLink({ body: input })).link.email, ana.email);
  }
  assert.deepEqual(
    (await made()).map((entry) => entry.after),
    [null, null, null],
  );
});

test("a sign-in with the old password that runs beside a reset leaves no session", async () => {
  const ana = await PanelSession.signUp(cluster);
  const token = await forgottenToken(ana, mailbox);
  const browsers = Array.from({ length: 12 }, () => new PanelSession(cluster.central.url));
  const json = { email: ana.email, password: ana.password };
  const [answer, ...signIns] = await Promise.all([
    resetPassword(cluster, token),
    ...browsers.map((browser) => browser.call("POST", "/sign-in", { json })),
  ]);
  assert.equal(answer.status, 204);
  for (const { status } of signIns) assert.ok(status === 200 || status === 401, String(status));
  for (const browser of browsers)
    assert.equal((await browser.call("GET", "/session")).code, "not_authenticated");
});

test("who asks again and again for another's link, from many places, gets a few mails sent and nothing into the operator's log", async () => {
  const { lines, logger } = loggedLines("warn");
  const centralSettings = { ...mailbox.settings, TIJOLO_TRUSTED_PROXIES: "127.0.0.1" };
  await using strict = await TestCluster.create({ hosts: 0, hasRealLimits: true, centralSettings, logger });
  const [ana, bob] = [await PanelSession.signUp(strict), await PanelSession.signUp(strict)];
  const askFor = async ({ email }: PanelSession, from: string) => {
    const stranger = new PanelSession(strict.central.url, { "x-forwarded-for": from });
    assert.equal((await stranger.call("POST", "/password/forgot", { json: { email } })).status, 204);
  };
  for (let asked = 0; asked < 15; asked++) await askFor(ana, `203.0.113.${asked}`);
  await askFor(bob, "203.0.113.99");
  await mailbox.takeToken(bob.email, resetPage); // behind all of ana's
  const sent = () => mailbox.mails.filter(({ to }) => to.includes(ana.email)).length;
  await until(() => sent() === 10);
  assert.deepEqual(lines, []);
});
