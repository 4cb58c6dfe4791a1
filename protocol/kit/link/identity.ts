/** Loads the host's own Ed25519 key: made here, stored in a file for root alone, never sent anywhere. */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from "node:crypto";
import { chmod, link, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface Identity {
  /** Public key, raw 32 bytes, base64url. */
  readonly publicKey: string;
  /** Returns the signature of the text's UTF-8 bytes, base64url. */
  sign(text: string): string;
}

/**
 * Loads the key, which is made on first use. Throws when the file can be read by others than its owner, or
 * holds no key.
 */
export async function loadIdentity(path: string): Promise<Identity> {
  await removeDrafts(path);
  const privateKey = (await readKey(path)) ?? (await makeKey(path));
  return {
    publicKey: publicKeyOf(privateKey),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64url"),
  };
}

async function readKey(path: string): Promise<KeyObject | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0)
    throw new Error(
      `${path} is readable by others (mode ${(mode & 0o777).toString(8)}): the host's key is no secret any more. Remove the file and join again.`,
    );
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch (cause) {
    throw new Error(`${path} holds no readable key. Remove the file and join again.`, { cause });
  }
  throw new Error(`${path} holds a key of another kind. Remove the file and join again.`);
}

/** Removes drafts of agents that were killed: copies of the key, or of one that was never used. */
async function removeDrafts(path: string): Promise<void> {
  const names = await readdir(dirname(path));
  const drafts = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(".new"));
  for (const name of drafts) await rm(join(dirname(path), name), { force: true });
}

/** Makes the key's file, which appears whole or not at all, and never replaces one. */
async function makeKey(path: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  const file = await open(draft, "wx", 0o600);
  try {
    await chmod(draft, 0o600);
    await file.writeFile(privateKey.export({ type: "pkcs8", format: "pem" }));
    await file.sync();
    await link(draft, path);
    await using directory = await open(dirname(path), "r");
    await directory.sync();
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
  return privateKey;
}

function publicKeyOf(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: "jwk" });
  if (x === undefined) throw new Error("an Ed25519 key without a public part");
  return x;
}
