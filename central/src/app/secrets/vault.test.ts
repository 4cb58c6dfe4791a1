import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { formatMasterKeys, makeMasterKey, parseMasterKeys } from "./master-keys.ts";
import { Vault, VaultError } from "./vault.ts";

const clock = { now: () => Date.parse("2026-01-02T03:04:05Z") };
const newKey = () => makeMasterKey({ clock, random: randomBytes });

test("what is sealed opens in its own context and nowhere else", () => {
  const vault = new Vault([newKey()], randomBytes);
  const sealed = vault.seal("project 1", "secret ção \u{1F600}");
  assert.equal(vault.open("project 1", sealed), "secret ção \u{1F600}");
  assert.equal(vault.open("empty", vault.seal("empty", "")), "");
  assert.throws(() => vault.open("project 2", sealed), VaultError);
  assert.ok(!Buffer.from(sealed.ciphertext, "base64").includes("secret"));
});

test("the same text is never sealed the same way twice", () => {
  const vault = new Vault([newKey()], randomBytes);
  const made = new Set(Array.from({ length: 1_000 }, () => vault.seal("a", "text").ciphertext.slice(0, 16)));
  assert.equal(made.size, 1_000);
});

test("a change of any byte is noticed", () => {
  const vault = new Vault([newKey()], randomBytes);
  const { keyId, ciphertext } = vault.seal("a", "text");
  const bytes = Buffer.from(ciphertext, "base64");
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.throws(() => vault.open("a", { keyId, ciphertext: changed.toString("base64") }), VaultError);
  }
  for (let length = 0; length < bytes.length; length++) {
    const cut = bytes.subarray(0, length).toString("base64");
    assert.throws(() => vault.open("a", { keyId, ciphertext: cut }), VaultError);
  }
});

test("the first key seals, every key opens, and one that is gone is named", () => {
  const [old, current] = [newKey(), newKey()];
  const sealed = new Vault([old], randomBytes).seal("a", "text");
  const vault = new Vault([current, old], randomBytes);
  assert.equal(vault.open("a", sealed), "text");
  assert.equal(vault.seal("a", "text").keyId, current.id);
  vault.replaceKeys([current]);
  assert.throws(() => vault.open("a", sealed), new VaultError(`the master key "${old.id}" is not there`));
  assert.equal(vault.hasKey(old.id), false);
  assert.throws(
    () => vault.open("a", { ...sealed, keyId: current.id }),
    VaultError,
    "another key under its name does not open it",
  );
});

test("a fingerprint is the same for the same text only in its context, and under its key", () => {
  const [old, current] = [newKey(), newKey()];
  const vault = new Vault([old], randomBytes);
  const made = vault.fingerprint("project 1", "text");
  assert.match(made, /^[\w-]{43}$/);
  assert.equal(new Vault([old], randomBytes).fingerprint("project 1", "text"), made);
  for (const [context, text] of [
    ["project 1", "text "],
    ["project 2", "text"],
    ["project 1t", "ext"],
    ["project", " 1text"],
  ] as const)
    assert.notEqual(vault.fingerprint(context, text), made);
  vault.replaceKeys([current, old]);
  assert.notEqual(vault.fingerprint("project 1", "text"), made, "the first key makes it");
  const plain = createHmac("sha256", current.key)
    .update(JSON.stringify(["project 1", "text"]))
    .digest("base64url");
  assert.notEqual(
    vault.fingerprint("project 1", "text"),
    plain,
    "the key that encrypts is not the one that names",
  );
});

test("without any key nothing is sealed", () => {
  const vault = new Vault([], randomBytes);
  assert.throws(() => vault.fingerprint("a", "text"), VaultError);
  assert.equal(vault.currentKeyId, undefined);
  assert.throws(() => vault.seal("a", "text"), VaultError);
});

test("master keys are read as they were written", () => {
  const keys = [newKey(), newKey()];
  const text = formatMasterKeys(keys);
  assert.match(text, /^(20260102030405-[0-9a-f]{6} [A-Za-z0-9+/]{43}=\n){2}$/);
  const [first, second] = text.trim().split("\n");
  for (const variant of [text, `# comment\n\n${text}`, `${first},${second}`, ` ${first} \r\n${second}`]) {
    assert.equal(formatMasterKeys(parseMasterKeys(variant, "test")), text);
  }
});

test("what is no list of master keys is refused without a word of it", () => {
  const good = formatMasterKeys([newKey()]).trim();
  const secret = good.split(" ")[1] ?? "";
  const wrong = [
    "",
    "# only a comment",
    secret,
    `id ${secret.slice(2)}`,
    `id ${secret} more`,
    `i=d ${secret}`,
    `id\n${secret}`,
    `${good}\n${good}`,
  ];
  for (const text of wrong) {
    assert.throws(
      () => parseMasterKeys(text, "TIJOLO_MASTER_KEYS"),
      (error: Error) =>
        error.message.startsWith("TIJOLO_MASTER_KEYS") && !error.message.includes(secret.slice(2, 12)),
      text,
    );
  }
});
