/**
 * Seals what central stores for others and must be able to read again (variables): AES-256-GCM under the
 * current master key. `context` names a document's kind and owner; one that was moved to another place does
 * not open there.
 */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, type KeyObject } from "node:crypto";
import type { Sealed } from "../../store/tables/sealed.ts";
import type { Random } from "../clock.ts";
import type { MasterKeys } from "./master-keys.ts";

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const fingerprintPurpose = "tijolo fingerprint";

/** Thrown when a document cannot be sealed or opened. Carries nothing of keys or contents. */
export class VaultError extends Error {
  override name = "VaultError";
}

export class Vault {
  readonly #random: Random;
  #keys: MasterKeys;

  constructor(keys: MasterKeys, random: Random) {
    this.#keys = keys;
    this.#random = random;
  }

  /** Id of the current key; undefined when central has no master key at all. */
  get currentKeyId(): string | undefined {
    return this.#keys[0]?.id;
  }

  /** Replaces the keys; the first one seals. */
  replaceKeys(keys: MasterKeys): void {
    this.#keys = keys;
  }

  /** Seals a text. Throws {@link VaultError} without a master key. */
  seal(context: string, plaintext: string): Sealed {
    const [current] = this.#keys;
    if (current === undefined) throw new VaultError("there is no master key");
    const nonce = this.#random(nonceBytes);
    const encryption = createCipheriv(cipher, current.key, nonce).setAAD(Buffer.from(context));
    const parts = [nonce, encryption.update(plaintext, "utf8"), encryption.final(), encryption.getAuthTag()];
    return { keyId: current.id, ciphertext: Buffer.concat(parts).toString("base64") };
  }

  /**
   * Opens a text. Throws {@link VaultError} when its key is missing, or the text is damaged or another
   * context's.
   */
  open(context: string, { keyId, ciphertext }: Sealed): string {
    const key = this.#keys.find(({ id }) => id === keyId)?.key;
    if (key === undefined) throw new VaultError(`the master key ${JSON.stringify(keyId)} is not there`);
    return decrypt(key, context, Buffer.from(ciphertext, "base64"));
  }

  /**
   * Returns a fingerprint: the same for the same text in the same context under the same master key; without
   * the key it does not even confirm a guess. Throws {@link VaultError} without a master key.
   */
  fingerprint(context: string, plaintext: string): string {
    const [current] = this.#keys;
    if (current === undefined) throw new VaultError("there is no master key");
    // A key of its own: the one that encrypts is used for nothing else.
    const key = Buffer.from(hkdfSync("sha256", current.key, "", fingerprintPurpose, 32));
    return createHmac("sha256", key)
      .update(JSON.stringify([context, plaintext]))
      .digest("base64url");
  }

  hasKey(keyId: string): boolean {
    return this.#keys.some(({ id }) => id === keyId);
  }
}

function decrypt(key: KeyObject, context: string, bytes: Buffer): string {
  if (bytes.length < nonceBytes + tagBytes) throw new VaultError("the document is cut short");
  const tagAt = bytes.length - tagBytes;
  const decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(tagAt));
  const start = decryption.update(bytes.subarray(nonceBytes, tagAt));
  try {
    return Buffer.concat([start, decryption.final()]).toString("utf8");
  } catch {
    throw new VaultError("the document is damaged, or of another context");
  }
}
