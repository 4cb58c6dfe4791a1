/**
 * Takes over the authenticators that Better Auth encrypted: XChaCha20-Poly1305 under the SHA-256 of the file
 * `auth-secret`, in hexadecimal. They are sealed anew at central's start.
 */

import { createCipheriv, createDecipheriv, hash } from "node:crypto";
import { transact, type Database } from "../../store/store.ts";
import { findTwoFactor, listAuthenticators, saveTwoFactor } from "../../store/tables/people/person.ts";
import type { AuthenticatorVault } from "./authenticator-vault.ts";

const nonceBytes = 24;
const tagBytes = 16;

/**
 * Seals the authenticators anew. A text that `authSecret` does not open stays as it is: its person has
 * recovery codes.
 */
export async function resealAuthenticators(
  db: Database,
  { authSecret, authenticators }: { authSecret: string; authenticators: AuthenticatorVault },
): Promise<void> {
  const key = hash("sha256", authSecret, "buffer");
  const reseal = (personId: string, stored: string | null) => {
    const secret = stored === null ? undefined : decrypt(key, stored);
    return secret === undefined ? stored : authenticators.seal(personId, secret);
  };
  await transact(db, async (tx) => {
    for (const { personId, secret, pendingSecret } of await listAuthenticators(tx)) {
      const sealed = { secret: reseal(personId, secret), pendingSecret: reseal(personId, pendingSecret) };
      if (sealed.secret === secret && sealed.pendingSecret === pendingSecret) continue;
      const twoFactor = await findTwoFactor(tx, personId);
      if (twoFactor !== undefined) await saveTwoFactor(tx, personId, { ...twoFactor, ...sealed });
    }
  });
}

/** Decrypts a text; undefined for a text of the vault (base64), and for one that the key does not open. */
function decrypt(key: Buffer, text: string): string | undefined {
  const bytes = /^[0-9a-f]+$/.test(text) ? Buffer.from(text, "hex") : Buffer.alloc(0);
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const tagAt = bytes.length - tagBytes;
  const nonce = Buffer.concat([Buffer.alloc(4), bytes.subarray(16, nonceBytes)]);
  const decryption = createDecipheriv("chacha20-poly1305", subkey(key, bytes.subarray(0, 16)), nonce, {
    authTagLength: tagBytes,
  }).setAuthTag(bytes.subarray(tagAt));
  const start = decryption.update(bytes.subarray(nonceBytes, tagAt));
  try {
    return Buffer.concat([start, decryption.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/**
 * Derives the subkey by HChaCha20 (draft-irtf-cfrg-xchacha, 2.2): the first and last four words of ChaCha20's
 * state after its rounds. A block of its key stream is that state with the starting state added, which is
 * subtracted again.
 */
function subkey(key: Buffer, input: Buffer): Buffer {
  const block = createCipheriv("chacha20", key, input).update(Buffer.alloc(64));
  const added = Buffer.concat([Buffer.from("expand 32-byte k"), input]);
  const derived = Buffer.concat([block.subarray(0, 16), block.subarray(48, 64)]);
  for (let at = 0; at < derived.length; at += 4)
    derived.writeUInt32LE((derived.readUInt32LE(at) - added.readUInt32LE(at)) >>> 0, at);
  return derived;
}
