/**
 * Loads the key that signs releases. It stays where releases are built: machines of a cluster know its public
 * half alone, so that not even a central that was broken into can send them programs.
 */

import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Returns where the key lies unless another place is named. */
export function defaultKeyFile(environment: Readonly<Record<string, string | undefined>>): string {
  const base = environment["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  return join(base, "tijolo", "release-key.pem");
}

/** Loads the key; makes it on its first use, which `isNew` says. Throws when others can read it. */
export async function loadSigningKey(path: string): Promise<{ key: KeyObject; isNew: boolean }> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return { key: await makeKey(path), isNew: true };
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) throw new Error(`${path} can be read by others: chmod 600 ${path}`);
  const key = createPrivateKey(text);
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`${path} holds no Ed25519 key`);
  return { key, isNew: false };
}

async function makeKey(path: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync("ed25519");
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  return privateKey;
}
