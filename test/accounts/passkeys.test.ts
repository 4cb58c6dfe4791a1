/** Tests passkeys: adding and managing them, signing in by them, and what of them is refused. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { limitedCluster, tally } from "../support/cluster/limited-cluster.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { makePasskey } from "../support/people/make-passkey.ts";
import { PanelSession } from "../support/people/panel.ts";
import { atLocalhost, SoftPasskey, type SoftPasskeyOptions } from "../support/people/soft-passkey.ts";
import { challenged, withTwoFactor } from "../support/people/two-factor.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ hosts: 0 });
});
after(() => cluster[Symbol.asyncDispose]());

const password = "a wrong password";

/** Returns a person at localhost, and an authenticator with a passkey of theirs. */
async function withPasskey(where = cluster): Promise<{ ana: PanelSession; key: SoftPasskey; id: string }> {
  const ana = atLocalhost(await PanelSession.signUp(where));
  const key = new SoftPasskey();
  return { ana, key, id: (await key.add(ana)).id };
}

function otherBrowser(panel: PanelSession): PanelSession {
  return atLocalhost(panel, new Map());
}

/** Signs in from another browser with an answer that is wrong as `more` says; returns the error's code. */
async function signInWrong(panel: PanelSession, key: SoftPasskey, more: SoftPasskeyOptions) {
  const browser = otherBrowser(panel);
  const { options } = await browser.client.beginPasskeySignIn();
  const credential = key.use(options, { origin: browser.centralUrl, ...more });
  return (await browser.call("POST", "/sign-in/passkey", { json: { credential } })).code;
}

test("a passkey signs its person in, without a password and without a code", async () => {
  const { ana, key } = await withPasskey();
  const browser = otherBrowser(ana);
  const answer = await key.signIn(browser, { isSynced: true });
  assert.deepEqual([answer.person.email, answer.account.id], [ana.email, ana.accountId]);
  const { passkeys } = await browser.client.listPasskeys();
  assert.deepEqual(
    passkeys.map(({ name, isSynced, lastUsedAt }) => [name, isSynced, lastUsedAt !== null]),
    [["Phone", true, true]],
  );

  const { ana: careful, code } = await withTwoFactor(cluster);
  const second = new SoftPasskey();
  await second.add(atLocalhost(careful));
  assert.equal((await second.signIn(otherBrowser(careful))).person.hasTwoFactor, true);
  const withCode = await challenged(careful);
  await withCode.client.signInTwoFactor({ body: { code: code() } });
});

test("authenticators of each of the three algorithms are accepted", async () => {
  const ana = atLocalhost(await PanelSession.signUp(cluster));
  for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
    const key = new SoftPasskey(algorithm);
    await key.add(ana, algorithm);
    assert.equal((await key.signIn(otherBrowser(ana))).person.email, ana.email, algorithm);
  }
});

test("at an IP address there are no passkeys, and the answer says where to go", async () => {
  const ana = await PanelSession.signUp(cluster);
  const answers = [
    await ana.call("POST", "/sign-in/passkey/begin"),
    await ana.call("POST", "/account/passkeys/begin", { json: { password: ana.password } }),
  ];
  for (const { code, text } of answers) {
    assert.equal(code, "passkeys_unavailable");
    assert.ok(text.includes(atLocalhost(ana).centralUrl));
  }
});

test("what begins a sign-in names no passkey; what begins a passkey names those of this person", async () => {
  const { ana, key } = await withPasskey();
  const { options } = await otherBrowser(ana).client.beginPasskeySignIn();
  assert.deepEqual(
    [options["rpId"], options["userVerification"], options["allowCredentials"]],
    ["localhost", "required", undefined],
  );
  const begun = (await ana.client.beginPasskey({ body: { password: ana.password } })).options;
  const { excludeCredentials, pubKeyCredParams, user, authenticatorSelection } = begun as {
    excludeCredentials: { id: string }[];
    pubKeyCredParams: { alg: number }[];
    user: { name: string };
    authenticatorSelection: Record<string, unknown>;
  };
  assert.deepEqual(
    excludeCredentials.map(({ id }) => id),
    [key.id.toString("base64url")],
  );
  assert.deepEqual(
    pubKeyCredParams.map(({ alg }) => alg),
    [-8, -7, -257],
  );
  assert.equal(user.name, ana.email);
  assert.deepEqual(
    [authenticatorSelection["residentKey"], authenticatorSelection["userVerification"]],
    ["required", "required"],
  );
});

test("a wrong answer signs nobody in, whatever is wrong with it", async () => {
  const { ana, key } = await withPasskey();
  const { key: others } = await withPasskey();
  const wrong: Record<string, SoftPasskeyOptions> = {
    "another site": { origin: "https://example.com" },
    "another port": { origin: "http://localhost:1" },
    "nobody was there": { isUserVerified: false },
    "another person": { userHandle: others.userHandle },
    "no person": { userHandle: "AQID" },
    "a challenge of somebody's own": { challenge: Buffer.alloc(54).toString("base64url") },
    "no challenge": { challenge: "" },
  };
  for (const [title, more] of Object.entries(wrong))
    assert.equal(await signInWrong(ana, key, more), "invalid_passkey", title);
  const unknown = Object.assign(new SoftPasskey(), { userHandle: key.userHandle });
  assert.equal(await signInWrong(ana, unknown, {}), "invalid_passkey");
  await key.signIn(otherBrowser(ana));
});

test("another's signature under a passkey's id is refused", async () => {
  const { ana, key } = await withPasskey();
  const forger = Object.assign(new SoftPasskey(), { id: key.id, userHandle: key.userHandle, counter: 7 });
  assert.equal(await signInWrong(ana, forger, {}), "invalid_passkey");
});

test("a count of uses that goes back is a copy's, and is refused", async () => {
  const { ana, key } = await withPasskey();
  await key.signIn(otherBrowser(ana), { counter: 9 });
  for (const counter of [9, 8, 0]) assert.equal(await signInWrong(ana, key, { counter }), "invalid_passkey");
  await key.signIn(otherBrowser(ana), { counter: 10 });
});

test("a challenge is good once, for five minutes, for one purpose and until central restarts", async () => {
  await using own = await TestCluster.create({ hosts: 0 });
  const { ana, key } = await withPasskey(own);
  const browser = otherBrowser(ana);
  const begun = async () => (await browser.client.beginPasskeySignIn()).options;
  const send = async (options: Awaited<ReturnType<typeof begun>>) =>
    browser.call("POST", "/sign-in/passkey", {
      json: { credential: key.use(options, { origin: browser.centralUrl }) },
    });
  const options = await begun();
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(options)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal((await send(options)).code, "invalid_passkey");

  const late = await begun();
  own.clock.advance(5 * 60_000);
  assert.equal((await send(late)).code, "invalid_passkey");

  const { options: forAdding } = await ana.client.beginPasskey({ body: { password: ana.password } });
  assert.equal(
    (await send({ ...(await begun()), challenge: forAdding["challenge"] ?? "" })).code,
    "invalid_passkey",
  );

  const early = await begun();
  await own.stopCentral();
  await own.startCentral();
  assert.equal((await send(early)).code, "invalid_passkey");
  assert.equal((await send(await begun())).status, 200);
});

test("adding one needs the password and the session that gave it, and stores no passkey twice", async () => {
  const { ana, key } = await withPasskey();
  assert.equal(
    (await ana.call("POST", "/account/passkeys/begin", { json: { password } })).code,
    "wrong_password",
  );
  const begin = async () => (await ana.client.beginPasskey({ body: { password: ana.password } })).options;
  const finish = (panel: PanelSession, credential: object) =>
    panel.call("POST", "/account/passkeys", { json: { name: "Laptop", credential } });
  const origin = ana.centralUrl;
  const laptop = new SoftPasskey();
  const other = await ana.elsewhere();
  assert.equal((await finish(other, laptop.create(await begin(), { origin }))).code, "invalid_passkey");
  assert.equal((await finish(ana, key.create(await begin(), { origin }))).code, "invalid_passkey");
  const unverified = laptop.create(await begin(), { origin, isUserVerified: false });
  assert.equal((await finish(ana, unverified)).code, "invalid_passkey");
  const elsewhere = laptop.create(await begin(), { origin: "https://example.com" });
  assert.equal((await finish(ana, elsewhere)).code, "invalid_passkey");
  const right = laptop.create(await begin(), { origin });
  assert.equal((await finish(ana, right)).status, 201);
  assert.equal((await finish(ana, right)).code, "invalid_passkey");
  assert.equal((await ana.client.listPasskeys()).passkeys.length, 2);
});

test("a person has at most 20 passkeys", async () => {
  const { ana } = await withPasskey();
  const { options } = await ana.client.beginPasskey({ body: { password: ana.password } });
  for (let count = 1; count < 20; count++) await makePasskey(cluster, ana.email);
  const begin = await ana.call("POST", "/account/passkeys/begin", { json: { password: ana.password } });
  assert.equal(begin.code, "passkey_limit_reached");
  const credential = new SoftPasskey().create(options, { origin: ana.centralUrl });
  const finish = await ana.call("POST", "/account/passkeys", { json: { name: "x", credential } });
  assert.equal(finish.code, "passkey_limit_reached");
});

test("a removed passkey signs nobody in; removing it needs the password", async () => {
  const { ana, key, id } = await withPasskey();
  const path = `/account/passkeys/${id}/remove`;
  assert.equal((await ana.call("POST", path, { json: { password } })).code, "wrong_password");
  await key.signIn(otherBrowser(ana));
  await ana.client.removePasskey({ passkeyId: id, body: { password: ana.password } });
  assert.equal(await signInWrong(ana, key, {}), "invalid_passkey");
  assert.deepEqual((await ana.client.listPasskeys()).passkeys, []);
});

test("whoever reports a stranger, or resets a password by a link, has no passkey left", async () => {
  for (const end of ["not-me", "reset"] as const) {
    const { ana, key } = await withPasskey();
    if (end === "not-me") await ana.client.notMe();
    else {
      const { token } = (await cluster.admin.createPasswordLink({ body: { email: ana.email } })).link;
      await ana.client.resetPassword({ body: { token, password: "outra senha bem comprida" } });
    }
    assert.equal(await signInWrong(ana, key, {}), "invalid_passkey", end);
  }
});

test("wrong passkeys count as wrong passwords do", async () => {
  await using limited = await limitedCluster();
  const { ana, key } = await withPasskey(limited);
  const browser = otherBrowser(ana);
  const { options } = await browser.client.beginPasskeySignIn();
  const credential = key.use(options, { origin: "https://example.com" });
  const send = () => browser.call("POST", "/sign-in/passkey", { json: { credential } });
  const answers = [];
  for (let count = 0; count < 12; count++) answers.push(await send());
  assert.deepEqual(tally(answers), { "401 invalid_passkey": 10, "429 too_many_attempts": 2 });
});
