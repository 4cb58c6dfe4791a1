/**
 * Passwords that others have or guess: changing one, "not me", mails about sign-ins, and how many guesses
 * there are; what ends with each.
 */

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
import { Mailbox } from "../support/people/mailbox.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const notMePage = "/not-me?token=";

let mailbox: Mailbox;
let cluster: TestCluster;
before(async () => {
  mailbox = await Mailbox.open();
  cluster = await TestCluster.create({
    hosts: 0,
    centralSettings: { ...mailbox.settings, TIJOLO_TRUSTED_PROXIES: "127.0.0.1" },
  });
});
after(async () => {
  await cluster[Symbol.asyncDispose]();
  await mailbox[Symbol.asyncDispose]();
});

test("a changed password ends the other sessions and keeps this one and the keys", async () => {
  const { ana, key } = await personWithKey(cluster);
  const other = await ana.elsewhere();
  const link = await forgottenToken(ana, mailbox);
  const path = "/account/password";
  const wrong = await ana.call("POST", path, { json: { currentPassword: "uma senha errada", newPassword } });
  assert.equal(wrong.code, "wrong_password");
  assert.equal((await other.call("GET", "/session")).status, 200);
  await ana.client.changePassword({ body: { currentPassword: ana.password, newPassword } });
  assert.equal((await ana.call("GET", "/session")).status, 200);
  assert.equal((await other.call("GET", "/session")).code, "not_authenticated");
  assert.equal((await ana.call("GET", "/projects", { token: key })).status, 200);
  assert.equal((await resetPassword(cluster, link)).code, "invalid_link", "links of before end");
  assert.equal((await signIn(ana, ana.password)).code, "invalid_credentials");
  assert.equal((await signIn(ana, newPassword)).status, 200);
});

test("of two changes at once from the same password, one counts", async () => {
  const ana = await PanelSession.signUp(cluster);
  const other = await ana.elsewhere();
  const answers = await Promise.all(
    [ana, other].map((session, index) =>
      session.call("POST", "/account/password", {
        json: { currentPassword: ana.password, newPassword: `${newPassword} ${index}` },
      }),
    ),
  );
  const winner = answers.findIndex(({ status }) => status === 204);
  assert.equal(answers.filter(({ status }) => status === 204).length, 1);
  assert.equal((await signIn(ana, `${newPassword} ${winner}`)).status, 200);
});

test("not me: sessions, keys and the password end at once, and a mail leads back", async () => {
  const { ana, key } = await personWithKey(cluster);
  const thief = await ana.elsewhere();
  await ana.client.notMe();
  assert.equal(ana.cookies.size, 0);
  assert.equal((await thief.call("GET", "/session")).code, "not_authenticated");
  assert.equal((await thief.call("GET", "/projects", { token: key })).code, "invalid_api_key");
  assert.equal((await signIn(ana, ana.password)).code, "invalid_credentials");
  const token = await mailbox.takeToken(ana.email, resetPage);
  assert.equal((await resetPassword(cluster, token)).status, 204);
  assert.equal((await signIn(ana, newPassword)).status, 200);
});

test("a sign-in from somewhere new is told by mail, with a link that ends it; one from somewhere known is not", async () => {
  const ana = await PanelSession.signUp(cluster);
  await ana.elsewhere();
  const thief = await ana.elsewhere({ "x-forwarded-for": "198.51.100.4", "user-agent": "Thief/1" });
  const mail = await until(() => mailbox.mails.find(({ to }) => to.includes(ana.email)));
  assert.match(mail.text, /198\.51\.100\.4, Thief\/1/);
  const token = await mailbox.takeToken(ana.email, notMePage);
  assert.deepEqual(
    mailbox.mails.filter(({ to }) => to.includes(ana.email)),
    [],
    "one mail, for one new place",
  );
  const stranger = new PanelSession(cluster.central.url);
  assert.equal(
    (await stranger.call("POST", "/password/reset", { json: { token, password: newPassword } })).code,
    "invalid_link",
  );
  await stranger.client.notMeByLink({ body: { token } });
  assert.equal((await thief.call("GET", "/session")).code, "not_authenticated");
  assert.equal((await stranger.call("POST", "/not-me", { json: { token } })).code, "invalid_link", "used");
  assert.equal((await signIn(ana, ana.password)).code, "invalid_credentials");
  await mailbox.takeToken(ana.email, resetPage);
});

test("guessing a password is bounded by address; the right one from elsewhere still works", async () => {
  const settings = { TIJOLO_TRUSTED_PROXIES: "127.0.0.1" };
  await using strict = await TestCluster.create({ hosts: 0, hasRealLimits: true, centralSettings: settings });
  strict.clock.hold();
  const ana = await PanelSession.signUp(strict);
  const attacker = new PanelSession(strict.central.url, { "x-forwarded-for": "203.0.113.9" });
  const guesses = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      attacker.call("POST", "/sign-in", { json: { email: ana.email, password: `errada ${index}` } }),
    ),
  );
  assert.equal(
    guesses.filter(({ code }) => code === "invalid_credentials").length,
    10,
    "a burst gets no more than a sequence",
  );
  const blocked = await attacker.call("POST", "/sign-in", {
    json: { email: ana.email, password: ana.password },
  });
  assert.equal(blocked.code, "too_many_attempts");
  const retryAfter = Number(blocked.headers.get("retry-after"));
  assert.ok(retryAfter > 14 * 60 && retryAfter <= 15 * 60, String(retryAfter));
  assert.equal((await signIn(ana, ana.password)).status, 200);
  strict.clock.advance(15 * 60_000 + 1000);
  assert.equal(
    (await attacker.call("POST", "/sign-in", { json: { email: ana.email, password: ana.password } })).status,
    200,
  );
});

test("whoever has a session cannot guess its password, nor a link's token, nor have mail after mail sent", async () => {
  await using strict = await TestCluster.create({
    hosts: 0,
    hasRealLimits: true,
    centralSettings: mailbox.settings,
  });
  const ana = await PanelSession.signUp(strict);
  const confirm = (password: string) => ana.call("POST", "/account/two-factor", { json: { password } });
  for (let guess = 0; guess < 10; guess++)
    assert.equal((await confirm(`errada ${guess}`)).code, "wrong_password");
  assert.equal((await confirm(ana.password)).code, "too_many_attempts");
  assert.equal((await signIn(ana, ana.password)).status, 200, "the way in stays open");
  const token = `tjl_${"x".repeat(43)}`;
  for (let guess = 0; guess < 10; guess++)
    assert.equal((await resetPassword(strict, token)).code, "invalid_link");
  assert.equal((await resetPassword(strict, token)).code, "too_many_attempts");
  const ask = () => ana.call("POST", "/password/forgot", { json: { email: ana.email } });
  for (let asked = 0; asked < 10; asked++) assert.equal((await ask()).status, 204);
  assert.equal((await ask()).code, "too_many_attempts");
});

test("each of these is in the activity, without passwords and tokens", async () => {
  const { ana, key } = await personWithKey(cluster);
  await ana.client.changePassword({ body: { currentPassword: ana.password, newPassword } });
  const token = await forgottenToken(ana, mailbox);
  await resetPassword(cluster, token);
  await ana.client.signIn({ body: { email: ana.email, password: newPassword } });
  await ana.client.notMe();
  await resetPassword(cluster, await mailbox.takeToken(ana.email, resetPage), ana.password);
  await ana.client.signIn({ body: { email: ana.email, password: ana.password } });
  const { activity } = await ana.client.listActivity();
  const afterOf = (wanted: string) =>
    activity.filter(({ action }) => action === wanted).map((entry) => entry.after);
  assert.deepEqual(afterOf("account.password_reset"), [
    { endedSessions: 0, revokedKeys: 0, removedPasskeys: 0 },
    { endedSessions: 1, revokedKeys: 1, removedPasskeys: 0 },
  ]);
  assert.deepEqual(afterOf("account.not_me"), [{ endedSessions: 1, revokedKeys: 0, removedPasskeys: 0 }]);
  // What happens in one millisecond has no order.
  assert.deepEqual(activity.map(({ action }) => action).toSorted(), [
    "account.not_me",
    "account.password_change",
    "account.password_reset",
    "account.password_reset",
    "account.password_reset_request",
    "account.sign_in",
    "account.sign_in",
    "account.sign_up",
    "key.create",
    "key.revoke",
  ]);
  const text = JSON.stringify(activity);
  for (const secret of [token, key, ana.password, newPassword]) assert.ok(!text.includes(secret));
});
