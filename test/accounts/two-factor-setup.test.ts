/**
 * Tests how a second factor is turned on, replaced and ended, by whom, and what of it outlives the secret of
 * the installation.
 */

import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import { authenticatorOf } from "../support/people/authenticator.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { challenged, stepMs, withTwoFactor } from "../support/people/two-factor.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ hosts: 0 });
});
after(() => cluster[Symbol.asyncDispose]());

test("an authenticator that is not confirmed asks nobody for a code", async () => {
  const ana = await PanelSession.signUp(cluster);
  await ana.client.beginTwoFactor({ body: { password: ana.password } });
  assert.equal(
    (await ana.call("POST", "/account/two-factor/confirm", { json: { code: "000000" } })).code,
    "invalid_code",
  );
  const again = new PanelSession(cluster.central.url);
  assert.equal(
    (await again.client.signIn({ body: { email: ana.email, password: ana.password } })).isTwoFactorRequired,
    false,
  );
});

test("the address that an authenticator reads names the service and the person", async () => {
  const ana = await PanelSession.signUp(cluster);
  const { uri, recoveryCodes } = await ana.client.beginTwoFactor({ body: { password: ana.password } });
  const totp = authenticatorOf(uri);
  assert.deepEqual([totp.issuer, totp.label, totp.digits, totp.period], ["Tijolo", ana.email, 6, 30]);
  assert.equal(totp.secret.bytes.length, 20);
  assert.equal(new Set(recoveryCodes).size, 10);
});

test("new recovery codes end the ones before, and need the password and a second factor that is on", async () => {
  const { ana, recoveryCodes } = await withTwoFactor(cluster);
  const path = "/account/two-factor/recovery-codes";
  assert.equal(
    (await ana.call("POST", path, { json: { password: "uma senha errada" } })).code,
    "wrong_password",
  );
  const { recoveryCodes: renewed } = await ana.client.renewRecoveryCodes({
    body: { password: ana.password },
  });
  assert.deepEqual(
    renewed.filter((code) => recoveryCodes.includes(code)),
    [],
  );
  assert.equal(
    (
      await (
        await challenged(ana)
      ).call("POST", "/sign-in/two-factor", { json: { recoveryCode: recoveryCodes[0] } })
    ).code,
    "invalid_code",
  );
  assert.equal(
    (
      await (
        await challenged(ana)
      ).call("POST", "/sign-in/two-factor", { json: { recoveryCode: renewed[0] } })
    ).status,
    200,
  );
  const bia = await PanelSession.signUp(cluster);
  assert.equal((await bia.call("POST", path, { json: { password: bia.password } })).code, "not_found");
});

test("a new authenticator takes the place of the one before once it is confirmed", async () => {
  const { ana, totp: before } = await withTwoFactor(cluster);
  const { uri } = await ana.client.beginTwoFactor({ body: { password: ana.password } });
  const after = authenticatorOf(uri);
  cluster.clock.advance(2 * stepMs);
  const code = (totp: TOTP) => totp.generate({ timestamp: cluster.clock.now() });
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code(after) } })).code,
    "invalid_code",
  );
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code(before) } }))
      .status,
    200,
  );
  await ana.client.confirmTwoFactor({ body: { code: code(after) } });
  cluster.clock.advance(2 * stepMs);
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code(before) } }))
      .code,
    "invalid_code",
  );
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code(after) } }))
      .status,
    200,
  );
});

test("ending it needs the password; then the password is enough", async () => {
  const { ana } = await withTwoFactor(cluster);
  assert.equal(
    (await ana.call("POST", "/account/two-factor/disable", { json: { password: "uma senha errada" } })).code,
    "wrong_password",
  );
  assert.equal((await ana.client.getSession()).person.hasTwoFactor, true);
  await ana.client.endTwoFactor({ body: { password: ana.password } });
  assert.equal((await (await ana.elsewhere()).client.getSession()).person.hasTwoFactor, false);
});

test("a password that stops working while it is checked confirms nothing", async () => {
  const { passwords, db } = cluster.central.app;
  const verify = passwords.verify.bind(passwords);
  for (const path of ["", "/disable", "/recovery-codes"]) {
    const { ana } = await withTwoFactor(cluster);
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
  const { ana } = await withTwoFactor(cluster);
  await cluster.operator.client().endAccountTwoFactor({ accountId: ana.accountId });
  const again = await ana.elsewhere();
  assert.equal((await again.client.getSession()).person.hasTwoFactor, false);
  const { activity } = await ana.client.listActivity();
  const off = activity.find(({ action }) => action === "account.two_factor_off");
  assert.equal(off?.actor.kind, "operator");
  await assert.rejects(
    cluster.operator.client().endAccountTwoFactor({ accountId: (await cluster.createAccount()).id }),
    { code: "not_found" },
  );
});

test("turning it on and off and new recovery codes are in the activity, without codes", async () => {
  const { ana, recoveryCodes, totp } = await withTwoFactor(cluster);
  cluster.clock.advance(1); // the list is in the order of time
  const { recoveryCodes: renewed } = await ana.client.renewRecoveryCodes({
    body: { password: ana.password },
  });
  cluster.clock.advance(1);
  await ana.client.endTwoFactor({ body: { password: ana.password } });
  const { activity } = await ana.client.listActivity();
  assert.deepEqual(
    activity.map(({ action }) => action),
    ["account.two_factor_off", "account.recovery_codes", "account.two_factor_on", "account.sign_up"],
  );
  const text = JSON.stringify(activity);
  for (const secret of [...recoveryCodes, ...renewed, totp.secret.base32, totp.secret.hex])
    assert.ok(!text.includes(secret));
});

test("central does not start with a new secret in place of one that authenticators need; recovery codes outlive its loss", async () => {
  await using own = await TestCluster.create({ hosts: 0 });
  const file = join(own.directory, "central", "auth-secret");
  const { ana, code, recoveryCodes } = await withTwoFactor(own);
  await own.stopCentral();
  const secret = await readFile(file, "utf8");
  await rm(file);
  await assert.rejects(
    own.startCentral(),
    /auth-secret is missing, and authenticators are stored .* Restore it from a backup\./,
  );
  await assert.rejects(readFile(file), { code: "ENOENT" });
  await writeFile(file, "", { mode: 0o600 });
  await assert.rejects(own.startCentral(), /auth-secret is empty, and authenticators are stored/);
  await writeFile(file, secret);
  await own.startCentral();
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code() } })).status,
    200,
  );
  await own.stopCentral();
  await writeFile(file, "another-secret-that-its-operator-made-by-hand\n");
  await own.startCentral();
  const [recoveryCode] = recoveryCodes;
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { recoveryCode } })).status,
    200,
  );
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

test("an authenticator that an older central stored goes on working", async () => {
  await using own = await TestCluster.create({ hosts: 0 });
  const { ana, code } = await withTwoFactor(own);
  const totp = new TOTP({ secret: Secret.fromUTF8("12345678901234567890") });
  await own.stopCentral();
  await writeFile(join(own.directory, "central", "auth-secret"), "a-secret-of-the-file-auth-secret\n");
  // What Better Auth 1.7 wrote for that authenticator under that file.
  const stored =
    "8386010e384840ab468f8279580f0fe63197e09f4c2e2df3d3b4b0ae580f7a9941a35851878ede1d368f3e912516b5305d1f819b31873058bca1d62b0e811647ca54ee2bf3b9abde81ddd8f949401bbe";
  const file = new DatabaseSync(join(own.directory, "central", "central.sqlite"));
  file.prepare("update two_factor set secret = ?").run(stored);
  file.close();
  await own.startCentral();
  const signIn = async (json: { code: string }) =>
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json })).status;
  assert.equal(await signIn({ code: code() }), 401, "the authenticator of before is not the stored one");
  assert.equal(await signIn({ code: totp.generate({ timestamp: own.clock.now() }) }), 200);
});
