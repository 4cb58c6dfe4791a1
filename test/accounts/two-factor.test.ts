/**
 * Tests signing in with a second factor: codes of an authenticator and recovery codes, each good once, and
 * not to be guessed.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PanelSession } from "../support/people/panel.ts";
import { rerunTransactions } from "../support/cluster/rerun-transactions.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { challenged, stepMs, withTwoFactor } from "../support/people/two-factor.ts";

// Each change is one that can be run again.
rerunTransactions();

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ hosts: 0 });
});
after(() => cluster[Symbol.asyncDispose]());

test("with a second factor, the password alone gives no session", async () => {
  const { ana, code } = await withTwoFactor(cluster);
  assert.equal((await ana.client.getSession()).person.hasTwoFactor, true);
  const browser = new PanelSession(cluster.central.url);
  const answer = await browser.call("POST", "/sign-in", {
    json: { email: ana.email, password: ana.password },
  });
  assert.deepEqual(answer.json, { isTwoFactorRequired: true });
  assert.match(
    answer.headers.getSetCookie().join(),
    /^tijolo-challenge=tjl_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
  );
  assert.equal((await browser.call("GET", "/session")).code, "not_authenticated");
  assert.equal((await browser.call("GET", "/projects")).code, "invalid_api_key");
  assert.equal((await browser.client.signInTwoFactor({ body: { code: code() } })).person.email, ana.email);
  assert.deepEqual([...browser.cookies.keys()], ["tijolo-session"]);
  assert.equal((await browser.call("GET", "/session")).status, 200);
});

test("the challenge is a session nowhere, and a session is no challenge", async () => {
  const { ana, code } = await withTwoFactor(cluster);
  const browser = await challenged(ana);
  const challenge = browser.cookies.get("tijolo-challenge") ?? "";
  const thief = new PanelSession(cluster.central.url);
  thief.cookies.set("tijolo-session", challenge);
  assert.equal((await thief.call("GET", "/session")).code, "not_authenticated");
  assert.equal(
    (
      await thief.call("POST", "/password/reset", {
        json: { token: challenge, password: "uma senha bem comprida" },
      })
    ).code,
    "invalid_link",
  );
  thief.cookies.clear();
  thief.cookies.set("tijolo-challenge", ana.cookies.get("tijolo-session") ?? "");
  assert.equal(
    (await thief.call("POST", "/sign-in/two-factor", { json: { code: code() } })).code,
    "not_authenticated",
  );
  assert.equal(
    (
      await new PanelSession(cluster.central.url).call("POST", "/sign-in/two-factor", {
        json: { code: code() },
      })
    ).code,
    "not_authenticated",
  );
});

test("a code counts once, also for 20 at the same time", async () => {
  const { ana, code } = await withTwoFactor(cluster);
  const browsers = await Promise.all(Array.from({ length: 20 }, () => challenged(ana)));
  const now = code(); // after the passwords, which take their time: a code is good for a minute or so
  const answers = await Promise.all(
    browsers.map((browser) => browser.call("POST", "/sign-in/two-factor", { json: { code: now } })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const { status, code } of answers) if (status === 401) assert.equal(code, "invalid_code");
});

test("a challenge counts once, and only for 10 minutes", async () => {
  const { ana, code } = await withTwoFactor(cluster);
  const browser = await challenged(ana);
  const challenge = browser.cookies.get("tijolo-challenge") ?? "";
  await browser.client.signInTwoFactor({ body: { code: code() } });
  cluster.clock.advance(stepMs);
  browser.cookies.set("tijolo-challenge", challenge);
  assert.equal(
    (await browser.call("POST", "/sign-in/two-factor", { json: { code: code() } })).code,
    "not_authenticated",
  );
  const late = await challenged(ana);
  cluster.clock.advance(10 * 60_000 + 1000);
  assert.equal(
    (await late.call("POST", "/sign-in/two-factor", { json: { code: code() } })).code,
    "not_authenticated",
  );
});

test("a code of the step before or after counts; older and later ones do not", async () => {
  const { ana, totp } = await withTwoFactor(cluster);
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
  const { ana, recoveryCodes } = await withTwoFactor(cluster);
  const [first = "", second = ""] = recoveryCodes;
  const stored = JSON.stringify(await cluster.central.app.db.selectFrom("two_factor").selectAll().execute());
  for (const code of recoveryCodes)
    assert.ok(!stored.includes(code) && !stored.includes(code.replaceAll("-", "")));
  const typed = ` ${first.toUpperCase().replaceAll("-", " ")}`;
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { recoveryCode: typed } }))
      .status,
    200,
  );
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { recoveryCode: first } }))
      .code,
    "invalid_code",
  );
  const browsers = await Promise.all(Array.from({ length: 10 }, () => challenged(ana)));
  const answers = await Promise.all(
    browsers.map((browser) =>
      browser.call("POST", "/sign-in/two-factor", { json: { recoveryCode: second } }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test("a new password ends sign-ins that owe a code", async () => {
  const { ana, code } = await withTwoFactor(cluster);
  const browser = await challenged(ana);
  await ana.client.changePassword({
    body: { currentPassword: ana.password, newPassword: "outra senha bem comprida" },
  });
  assert.equal(
    (await browser.call("POST", "/sign-in/two-factor", { json: { code: code() } })).code,
    "not_authenticated",
  );
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
    assert.equal(
      (await browser.call("POST", "/sign-in/two-factor", { json: wrong })).code,
      "invalid_code",
      `guess ${guess}`,
    );
  }
  const blocked = await new PanelSession(strict.central.url, { ...ana.headers, ...attacker }).call(
    "POST",
    "/sign-in",
    {
      json: { email: ana.email, password: ana.password },
    },
  );
  assert.equal(blocked.code, "too_many_attempts");
  assert.ok(Number(blocked.headers.get("retry-after")) > 14 * 60);
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code() } })).status,
    200,
  );
  strict.clock.advance(15 * 60_000 + 1000);
  assert.equal(
    (await (await challenged(ana, attacker)).call("POST", "/sign-in/two-factor", { json: { code: code() } }))
      .status,
    200,
  );
});

test("guessing codes from many addresses is bounded too; where the person has been, it still works", async () => {
  const settings = { TIJOLO_TRUSTED_PROXIES: "127.0.0.1" };
  await using strict = await TestCluster.create({ hosts: 0, hasRealLimits: true, centralSettings: settings });
  const { ana, code } = await withTwoFactor(strict);
  for (const address of ["203.0.113.1", "203.0.113.2"]) {
    const browser = await challenged(ana, { "x-forwarded-for": address });
    for (let guess = 0; guess < 10; guess++) {
      assert.equal(
        (await browser.call("POST", "/sign-in/two-factor", { json: { code: wrongCode(code()) } })).code,
        "invalid_code",
      );
    }
  }
  const third = await challenged(ana, { "x-forwarded-for": "203.0.113.3" });
  assert.equal(
    (await third.call("POST", "/sign-in/two-factor", { json: { code: code() } })).code,
    "too_many_attempts",
  );
  assert.equal(
    (await (await challenged(ana)).call("POST", "/sign-in/two-factor", { json: { code: code() } })).status,
    200,
  );
});

function wrongCode(right: string): string {
  return String((Number(right) + 500_000) % 1_000_000).padStart(6, "0");
}
