import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import { test } from "node:test";
import { AppError } from "@tijolo/protocol";
import { weakChainFor } from "../../../../test/support/certificates/weak-chain.ts";
import { newPrivateKey } from "./new-certificate.ts";
import { isFor, readOwnCertificate } from "./own-certificate.ts";
import { signAuthority, signServer } from "./x509/sign-certificate.ts";

const now = Date.parse("2026-06-01T00:00:00Z");
const dayMs = 24 * 60 * 60 * 1000;
const validity = { beginsAt: now - dayMs, endsAt: now + 90 * dayMs };
const issuer = { name: "Authority", privateKey: newPrivateKey() };
const root = signAuthority(issuer, { domains: ["example.org"], validity, random: randomBytes });
const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

function made(names = ["loja.example.org"], { key = newPrivateKey(), dates = validity } = {}) {
  const parts = { names, publicKey: createPublicKey(key), validity: dates, random: randomBytes };
  return { certificate: signServer(issuer, parts), privateKey: pemOf(key) };
}

const reasonOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === "invalid_certificate", String(error));
    return `${error.extra.field} ${error.extra.reason}`;
  }
  return "accepted";
};

test("a certificate that fits is accepted with its names, and what stands around it is left out", () => {
  const { certificate, privateKey } = made(["www.example.org", "example.org"]);
  const own = readOwnCertificate(
    { certificate: `Bag Attributes\n${certificate}\nsubject=…\n${root}`, privateKey },
    { now, hostname: "example.org" },
  );
  assert.deepEqual(own.names, ["example.org", "www.example.org"]);
  assert.equal(own.chain, certificate + root);
  assert.equal(pemOf(own.privateKey), privateKey);
  assert.equal(
    reasonOf(() => readOwnCertificate(made(), { now, hostname: null })),
    "accepted",
  );
});

test("each thing that does not fit has its field and its reason", () => {
  const good = made();
  const other = made();
  const late = { beginsAt: now + 2 * dayMs, endsAt: now + 9 * dayMs };
  const past = { beginsAt: now - 9 * dayMs, endsAt: now - 1 };
  const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength }).privateKey;
  const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.example.org`);
  const cases: [string, { certificate: string; privateKey: string }][] = [
    ["certificate not_pem", { ...good, certificate: "" }],
    ["certificate not_pem", { ...good, certificate: good.privateKey }],
    [
      "certificate not_pem",
      { ...good, certificate: good.certificate.replace(/\n[\w+/=]{64}\n/, "\nAAAA\n") },
    ],
    ["privateKey not_pem", { ...good, privateKey: good.certificate }],
    ["privateKey not_pem", { ...good, privateKey: "" }],
    ["privateKey weak_key", { ...good, privateKey: pemOf(rsa(1024)) }],
    ["privateKey too_large", { ...good, privateKey: pemOf(rsa(4104)) }],
    ["privateKey weak_key", { ...good, privateKey: pemOf(generateKeyPairSync("ed25519").privateKey) }],
    ["privateKey key_mismatch", { ...good, privateKey: other.privateKey }],
    ["certificate broken_chain", { ...good, certificate: good.certificate + other.certificate }],
    ["certificate expired", made(undefined, { dates: past })],
    ["certificate not_yet_valid", made(undefined, { dates: late })],
    ["certificate wrong_names", made(["other.example.org"])],
    ["certificate too_large", { ...good, certificate: good.certificate + " ".repeat(64 * 1024) }],
    ["certificate too_large", { ...good, certificate: root.repeat(9) }],
    ["privateKey too_large", { ...good, privateKey: "x".repeat(64 * 1024 + 1) }],
    ["certificate too_large", made(["loja.example.org", ...names(100)])],
    ["accepted", made(["loja.example.org", ...names(99)])],
  ];
  for (const [reason, given] of cases)
    assert.equal(
      reasonOf(() => readOwnCertificate(given, { now, hostname: "loja.example.org" })),
      reason,
    );
});

test("a wildcard is for one label below it, and for no other name", () => {
  assert.ok(isFor(["*.example.org"], "a.example.org") && isFor(["*.example.org"], "*.example.org"));
  assert.ok(!isFor(["*.example.org"], "example.org") && !isFor(["*.example.org"], "a.b.example.org"));
  assert.ok(!isFor(["a.example.org"], "*.example.org"));
});

test("a chain that no server of today loads is refused, though its certificate is good", async () => {
  const weak = await weakChainFor("loja.example.org");
  assert.equal(
    reasonOf(() => readOwnCertificate(weak, { now: Date.now(), hostname: "loja.example.org" })),
    "certificate weak_key",
  );
});
