/** The second factor: codes of an authenticator and recovery codes, each good once. */

import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { TOTP, URI } from "otpauth";
import { PanelSession } from "../support/panel.ts";
import { TestCluster } from "../support/test-cluster.ts";

const stepMs = 30_000;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ hosts: 0 });
});
after(() => cluster[Symbol.asyncDispose]());

test("an authenticator that is not confirmed asks nobody for a code", async () => {
  const ana = await PanelSession.signUp(cluster);
  await ana.client.beginTwoFactor({ body: { password: ana.password } });
  assert.equal((await ana.call("POST", "/account/two-factor/confirm", { json: { code: "000000" } })).code, "invalid_code");
  const again = new PanelSession(cluster.central.url);
  assert.equal((await again.client.signIn({ body: { email: ana.email, password: ana.password } })).isTwoFactorRequired, false);
});

test("the address that an authenticator reads names the service and the person", async () => {
  const ana = await PanelSession.signUp(cluster);
  const { uri, recoveryCodes } = await ana.client.beginTwoFactor({ body: { password: ana.password } });
  const totp = authenticatorOf(uri);
  assert.deepEqual([totp.issuer, totp.label, totp.digits, totp.period], ["Tijolo", ana.email, 6, 30]);
  assert.equal(totp.secret.bytes.length, 20);
  assert.equal(new Set(recoveryCodes).size, 10);
});

test("with a second factor, the password alone gives no session", async () => {
  const { ana, code } = await withTwoFactor();
  assert.equal((await ana.client.getSession()).person.hasTwoFactor, true);
  const browser = new PanelSession(cluster.central.url);
  const answer = await browser.call("POST", "/sign-in", { json: { email: ana.email, password: ana.password } });
  assert.deepEqual(answer.json, { isTwoFactorRequired: true });
  assert.match(answer.headers.getSetCookie().join(), /^tijolo-challenge=tjl_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
  assert.equal((await browser.call("GET", "/session")).code, "not_authenticated");
  assert.equal((await browser.call("GET", "/projects")).code, "invalid_api_key");
  assert.equal((await browser.client.signInTwoFactor({ body: { code: code() } })).person.email, ana.email);
  assert.deepEqual([...browser.cookies.keys()], ["tijolo-session"]);
  assert.equal((await browser.call("GET", "/session")).status, 200);
});

test("the challenge is a session nowhere, and a session is no challenge", async () => {
  const { ana, code } = await withTwoFactor();
  const browser = await challenged(ana);
  const challenge = browser.cookies.get("tijolo-challenge") ?? "";
  const thief = new PanelSession(cluster.central.url);
  thief.cookies.set("tijolo-session", challenge);
  assert.equal((await thief.call("GET", "/session")).code, "not_authenticated");
  assert.equal(
    (await thief.call("POST", "/password/reset", { json: { token: challenge, password: "uma senha bem comprida" } })).code,
    "invalid_link",
  );
  thief.cookies.clear();
  thief.cookies.set("tijolo-challenge", ana.cookies.get("tijolo-session") ?? "");
  assert.equal((await thief.call("POST", "/sign-in/two-factor", { json: { code: code() } })).code, "not_authenticated");
  assert.equal(
    (await new PanelSession(cluster.central.url).call("POST", "/sign-in/two-factor", { json: { code: code() } })).code,
    "not_authenticated",
  );
});

test("a code counts once, also for 20 at the same time", async () => {
  const { ana, code } = await withTwoFactor();
  const browsers = await Promise.all(Array.from({ length: 20 }, () => challenged(ana)));
  const now = code(); // after the passwords, which take their time: a code is good for a minute or so
  const answers = await Promise.all(browsers.map((browser) => browser.call("POST", "/sign-in/two-factor", { json: { code: now } })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const { status, code } of answers) if (status === 401) assert.equal(code, "invalid_code");
});

test("a challenge counts once, and only for 10 minutes", async () => {
  const { ana, code } = await withTwoFactor();
  const browser = await challenged(ana);
  const challenge = browser.cookies.get("tijolo-challenge") ?? "";
  await browser.client.signInTwoFactor({ body: { code: code() } });
  cluster.clock.advance(stepMs);
  browser.cookies.set("tijolo-challenge", challenge);
  assert.equal((await browser.call("POST", "/sign-in/two-factor", { json: { code: code() } })).code, "not_authenticated");
  const late = await challenged(ana);
  cluster.clock.advance(10 * 60_000 + 1000);
  assert.equal((await late.call("POST", "/sign-in/two-factor", { json: { code: code() } })).code, "not_authenticated");
});

test("a code of the step before or after counts; older and later ones do not", async () => {
  const { ana, totp } = await withTwoFactor();
  for (const [steps, isRight] of [
    [-2, false],
    [2, false],
    [-1, true],
    [1, true],
  ] as const) {
    // To the begin of a step, so that none passes meanwhile.
    cluster.clock.advance(11 * stepMs - (cluster.clock.now() % stepMs));
    const browser = await challenged(ana);
    const code = totp.generate({ timestamp: cluster.clock.now() + steps * stepMs });
    const answer = await browser.call("POST", "/sign-in/two-factor", { json: { code } });
    assert.equal(answer.status, isRight ? 200 : 401, `${steps} steps`);
  }
});

test("a recovery code opens once, however it is typed, and is stored as a hash", async () => {
  const { ana, recoveryCodes } = await withTwoFactor();
  const [first = "", second = ""] = recoveryCodes;
  const stored = JSON.stringify(await cluster.central.app.db.selectFrom("two_factor").selectAll().execute());
  for (const code of recoveryCodes) assert.ok(!stored.includes(code) && !stored.includes(code.replaceAll("-", "")));
  const typed = ` ${first.toUpperCase().replaceAll("-", " ")}`;
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { recoveryCode: typed } })).status, 200);
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { recoveryCode: first } })).code, "invalid_code");
  const browsers = await Promise.all(Array.from({ length: 10 }, () => challenged(ana)));
  const answers = await Promise.all(
    browsers.map((browser) => browser.call("POST", "/sign-in/two-factor", { json: { recoveryCode: second } })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test("new recovery codes end the ones before, and need the password and a second factor that is on", async () => {
  const { ana, recoveryCodes } = await withTwoFactor();
  const path = "/account/two-factor/recovery-codes";
  assert.equal((await ana.call("POST", path, { json: { password: "uma senha errada" } })).code, "wrong_password");
  const { recoveryCodes: renewed } = await ana.client.renewRecoveryCodes({ body: { password: ana.password } });
  assert.deepEqual(
    renewed.filter((code) => recoveryCodes.includes(code)),
    [],
  );
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { recoveryCode: recoveryCodes[0] } })).code,
    "invalid_code",
  );
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { recoveryCode: renewed[0] } })).status, 200);
  const bia = await PanelSession.signUp(cluster);
  assert.equal((await bia.call("POST", path, { json: { password: bia.password } })).code, "not_found");
});

test("a new authenticator takes the place of the one before once it is confirmed", async () => {
  const { ana, totp: before } = await withTwoFactor();
  const { uri } = await ana.client.beginTwoFactor({ body: { password: ana.password } });
  const after = authenticatorOf(uri);
  cluster.clock.advance(2 * stepMs);
  const code = (totp: TOTP) => totp.generate({ timestamp: cluster.clock.now() });
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code(after) } })).code, "invalid_code");
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code(before) } })).status, 200);
  await ana.client.confirmTwoFactor({ body: { code: code(after) } });
  cluster.clock.advance(2 * stepMs);
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code(before) } })).code, "invalid_code");
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code(after) } })).status, 200);
});

test("ending it needs the password; then the password is enough", async () => {
  const { ana } = await withTwoFactor();
  assert.equal((await ana.call("POST", "/account/two-factor/disable", { json: { password: "uma senha errada" } })).code, "wrong_password");
  assert.equal((await ana.client.getSession()).person.hasTwoFactor, true);
  await ana.client.endTwoFactor({ body: { password: ana.password } });
  assert.equal((await (await ana.elsewhere()).client.getSession()).person.hasTwoFactor, false);
});

test("a password that stops working while it is checked confirms nothing", async () => {
  const { passwords, db } = cluster.central.app;
  const verify = passwords.verify.bind(passwords);
  for (const path of ["", "/disable", "/recovery-codes"]) {
    const { ana } = await withTwoFactor();
    const rows = () => db.selectFrom("two_factor").selectAll().execute();
    const before = await rows();
    const checked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    passwords.verify = async (hash, password) => {
      const isRight = await verify(hash, password);
      checked.resolve();
      await goOn.promise;
      return isRight;
    };
    const asking = ana.call("POST", `/account/two-factor${path}`, { json: { password: ana.password } });
    await checked.promise;
    await ana.client.notMe();
    goOn.resolve();
    passwords.verify = verify;
    assert.equal((await asking).code, "wrong_password", path);
    assert.deepEqual(await rows(), before);
  }
});

test("an operator ends it for who has lost everything, which is in the activity under the operator's name", async () => {
  const { ana } = await withTwoFactor();
  await cluster.operator.call("endTwoFactor", { accountId: ana.accountId });
  const again = await ana.elsewhere();
  assert.equal((await again.client.getSession()).person.hasTwoFactor, false);
  const { activity } = await ana.client.listActivity();
  const off = activity.find(({ action }) => action === "account.two_factor_off");
  assert.equal(off?.actor.kind, "operator");
  await assert.rejects(cluster.operator.call("endTwoFactor", { accountId: (await cluster.createAccount()).id }), /not found/);
});

test("a new password ends sign-ins that owe a code", async () => {
  const { ana, code } = await withTwoFactor();
  const browser = await challenged(ana);
  await ana.client.changePassword({ body: { currentPassword: ana.password, newPassword: "outra senha bem comprida" } });
  assert.equal((await browser.call("POST", "/sign-in/two-factor", { json: { code: code() } })).code, "not_authenticated");
});

test("guessing codes is bounded, also with a new challenge each time; another address still comes in", async () => {
  const settings = { TIJOLO_TRUSTED_PROXIES: "127.0.0.1" };
  await using strict = await TestCluster.create({ hosts: 0, hasRealLimits: true, centralSettings: settings });
  strict.clock.hold();
  const { ana, code } = await withTwoFactor(strict);
  const attacker = { "x-forwarded-for": "203.0.113.9" };
  for (let guess = 0; guess < 10; guess++) {
    const browser = await challenged(ana, attacker);
    const wrong = guess % 2 === 0 ? { code: wrongCode(code()) } : { recoveryCode: "00000-00000-00000-00000" };
    assert.equal((await browser.call("POST", "/sign-in/two-factor", { json: wrong })).code, "invalid_code", `guess ${guess}`);
  }
  const blocked = await new PanelSession(strict.central.url, { ...ana.headers, ...attacker }).call("POST", "/sign-in", {
    json: { email: ana.email, password: ana.password },
  });
  assert.equal(blocked.code, "too_many_attempts");
  assert.ok(Number(blocked.headers.get("retry-after")) > 14 * 60);
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code() } })).status, 200);
  strict.clock.advance(15 * 60_000 + 1000);
  assert.equal((await (await challenged(ana, attacker)).call("POST", "/sign-in/two-factor", { json: { code: code() } })).status, 200);
});

test("guessing codes from many addresses is bounded too; where the person has been, it still works", async () => {
  const settings = { TIJOLO_TRUSTED_PROXIES: "127.0.0.1" };
  await using strict = await TestCluster.create({ hosts: 0, hasRealLimits: true, centralSettings: settings });
  const { ana, code } = await withTwoFactor(strict);
  for (const address of ["203.0.113.1", "203.0.113.2"]) {
    const browser = await challenged(ana, { "x-forwarded-for": address });
    for (let guess = 0; guess < 10; guess++) {
      assert.equal((await browser.call("POST", "/sign-in/two-factor", { json: { code: wrongCode(code()) } })).code, "invalid_code");
    }
  }
  const third = await challenged(ana, { "x-forwarded-for": "203.0.113.3" });
  assert.equal((await third.call("POST", "/sign-in/two-factor", { json: { code: code() } })).code, "too_many_attempts");
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code() } })).status, 200);
});

test("turning it on and off and new recovery codes are in the activity, without codes", async () => {
  const { ana, recoveryCodes, totp } = await withTwoFactor();
  cluster.clock.advance(1); // the list is in the order of time
  const { recoveryCodes: renewed } = await ana.client.renewRecoveryCodes({ body: { password: ana.password } });
  cluster.clock.advance(1);
  await ana.client.endTwoFactor({ body: { password: ana.password } });
  const { activity } = await ana.client.listActivity();
  assert.deepEqual(
    activity.map(({ action }) => action),
    ["account.two_factor_off", "account.recovery_codes", "account.two_factor_on", "account.sign_up"],
  );
  const text = JSON.stringify(activity);
  for (const secret of [...recoveryCodes, ...renewed, totp.secret.base32, totp.secret.hex]) assert.ok(!text.includes(secret));
});

test("central does not start with a new secret in place of one that authenticators need; recovery codes outlive its loss", async () => {
  await using own = await TestCluster.create({ hosts: 0 });
  const file = join(own.directory, "central", "auth-secret");
  const { ana, code, recoveryCodes } = await withTwoFactor(own);
  await own.stopCentral();
  const secret = await readFile(file, "utf8");
  await rm(file);
  await assert.rejects(own.startCentral(), /auth-secret is missing, and authenticators are stored .* Restore it from a backup\./);
  await assert.rejects(readFile(file), { code: "ENOENT" });
  await writeFile(file, "");
  await assert.rejects(own.startCentral(), /auth-secret is empty, and authenticators are stored/);
  await writeFile(file, secret);
  await own.startCentral();
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code() } })).status, 200);
  await own.stopCentral();
  await writeFile(file, "another-secret-that-its-operator-made-by-hand\n");
  await own.startCentral();
  const [recoveryCode] = recoveryCodes;
  assert.equal((await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { recoveryCode } })).status, 200);
});

test("without any authenticator, a missing secret is made anew", async () => {
  await using own = await TestCluster.create({ hosts: 0 });
  const file = join(own.directory, "central", "auth-secret");
  const before = await readFile(file, "utf8");
  await own.stopCentral();
  await rm(file);
  await own.startCentral();
  assert.notEqual(await readFile(file, "utf8"), before);
});

/** A person with a confirmed authenticator, whose time moves on so that each code is a new one. */
async function withTwoFactor(where = cluster) {
  const ana = await PanelSession.signUp(where);
  const { uri, recoveryCodes } = await ana.client.beginTwoFactor({ body: { password: ana.password } });
  const totp = authenticatorOf(uri);
  const code = () => totp.generate({ timestamp: where.clock.now() });
  await ana.client.confirmTwoFactor({ body: { code: code() } });
  where.clock.advance(2 * stepMs);
  return { ana, totp, code, recoveryCodes };
}

/** A browser that gave the right password and owes a code. */
async function challenged(ana: PanelSession, headers: Record<string, string> = {}): Promise<PanelSession> {
  const browser = new PanelSession(ana.centralUrl, { ...ana.headers, ...headers });
  const answer = await browser.client.signIn({ body: { email: ana.email, password: ana.password } });
  assert.equal(answer.isTwoFactorRequired, true);
  return browser;
}

function authenticatorOf(uri: string): TOTP {
  const authenticator = URI.parse(uri);
  assert.ok(authenticator instanceof TOTP);
  return authenticator;
}

function wrongCode(right: string): string {
  return String((Number(right) + 500_000) % 1_000_000).padStart(6, "0");
}
