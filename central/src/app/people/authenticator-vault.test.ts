import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { AuthenticatorVault } from "./authenticator-vault.ts";

const authSecret = "what the file auth-secret holds";
const vault = new AuthenticatorVault(authSecret, randomBytes);

test("a secret opens again under the same file, for the same person", () => {
  const sealed = vault.seal("ana", "3132");
  assert.ok(!sealed.includes("3132"));
  assert.notEqual(vault.seal("ana", "3132"), sealed);
  assert.equal(new AuthenticatorVault(authSecret, randomBytes).open("ana", sealed), "3132");
});

test("it does not open for another person, nor under another file", () => {
  const sealed = vault.seal("ana", "3132");
  assert.throws(() => vault.open("bia", sealed), { name: "VaultError" });
  assert.throws(() => new AuthenticatorVault("another", randomBytes).open("ana", sealed), {
    name: "VaultError",
  });
});
