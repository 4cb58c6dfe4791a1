/**
 * Seals the secrets of authenticators under a key of their own, from the file `auth-secret`: central always
 * has that file, while master keys may be stored elsewhere or be lost.
 */

import { createSecretKey, hash } from "node:crypto";
import type { Random } from "../clock.ts";
import { Vault } from "../secrets/vault.ts";

const keyId = "auth-secret";

export class AuthenticatorVault {
  readonly #vault: Vault;

  constructor(authSecret: string, random: Random) {
    const key = createSecretKey(hash("sha256", authSecret, "buffer"));
    this.#vault = new Vault([{ id: keyId, key }], random);
  }

  /** Seals a text, which opens for this person only. */
  seal(personId: string, secret: string): string {
    return this.#vault.seal(contextOf(personId), secret).ciphertext;
  }

  /** Opens a text. Throws `VaultError` when it is another person's, damaged, or of another `auth-secret`. */
  open(personId: string, sealed: string): string {
    return this.#vault.open(contextOf(personId), { keyId, ciphertext: sealed });
  }
}

function contextOf(personId: string): string {
  return `authenticator of ${personId}`;
}
