import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { PasskeyChallenges } from "./passkey-challenges.ts";

function challenges() {
  const clock = { now: 1_700_000_000_000, steadyNow: () => clock.now };
  const made = new PasskeyChallenges(clock, (bytes) => randomBytes(bytes));
  return { clock, made, issue: (purpose: string) => Buffer.from(made.issue(purpose)).toString("base64url") };
}

test("a challenge is valid for its purpose, once and for five minutes", () => {
  const { clock, made, issue } = challenges();
  const challenge = issue("sign-in");
  assert.equal(made.isValid("sign-in", challenge), true);
  assert.equal(made.isValid("add", challenge), false);
  assert.equal(made.use(challenge), true);
  assert.equal(made.isValid("sign-in", challenge), false);
  assert.equal(made.use(challenge), false);

  const other = issue("sign-in");
  clock.now += 5 * 60_000 - 1;
  assert.equal(made.isValid("sign-in", other), true);
  clock.now += 1;
  assert.equal(made.isValid("sign-in", other), false);
});

test("a changed challenge, one of another process and one written otherwise are refused", () => {
  const { made, issue } = challenges();
  const challenge = issue("sign-in");
  const bytes = Buffer.from(challenge, "base64url");
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.equal(made.isValid("sign-in", changed.toString("base64url")), false);
  }
  assert.equal(challenges().made.isValid("sign-in", challenge), false);
  for (const text of ["", "x", `${challenge}=`, `${challenge}AA`, ` ${challenge}`, bytes.toString("base64")])
    if (text !== challenge) assert.equal(made.isValid("sign-in", text), false, text);
});

test("answered challenges are forgotten when they end, and their number is bounded", () => {
  const { clock, made, issue } = challenges();
  for (let count = 0; count < 20_000; count++) assert.equal(made.use(issue("sign-in")), true);
  assert.equal(made.use(issue("sign-in")), false);
  clock.now += 5 * 60_000;
  assert.equal(made.use(issue("sign-in")), true);
});
