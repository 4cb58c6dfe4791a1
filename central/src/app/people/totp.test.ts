import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTotpSecret, stepOfCode, totpUri } from "./totp.ts";

/** RFC 6238, appendix B, SHA-1: seconds and the last six digits of the code. */
const vectors = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
] as const;
const secret = Buffer.from("12345678901234567890").toString("hex");

test("codes are those of the standard", () => {
  for (const [seconds, code] of vectors) {
    assert.equal(
      stepOfCode(code, { secret, now: seconds * 1000, lastStep: 0 }),
      Math.floor(seconds / 30),
      code,
    );
  }
});

test("a code of a step that was used, or of one before it, is none", () => {
  const now = 59_000;
  assert.equal(stepOfCode("287082", { secret, now, lastStep: 0 }), 1);
  assert.equal(stepOfCode("287082", { secret, now, lastStep: 1 }), undefined);
  assert.equal(stepOfCode("287082", { secret, now: now + 30_000, lastStep: 2 }), undefined);
});

test("a code is good one step early and one late", () => {
  for (const [seconds, isGood] of [
    [-1, false],
    [0, true],
    [30, true],
    [60, true],
    [90, false],
  ] as const) {
    assert.equal(
      stepOfCode("287082", { secret, now: seconds * 1000, lastStep: 0 }) === 1,
      isGood,
      String(seconds),
    );
  }
});

test("the address carries the secret in base32", () => {
  assert.equal(
    totpUri(secret, "ana@example.com"),
    "otpauth://totp/Tijolo:ana%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Tijolo&algorithm=SHA1&digits=6&period=30",
  );
  assert.match(
    makeTotpSecret((bytes) => new Uint8Array(bytes).fill(255)),
    /^f{40}$/,
  );
});
