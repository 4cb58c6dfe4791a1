/**
 * Finds central's master keys at the first source that has them: systemd's credentials, the environment, a
 * file of the operator's, and last a file of central's own, which it makes itself and is the only one that it
 * writes.
 */

import { join } from "node:path";
import type { MasterKeySource } from "@tijolo/protocol";
import type { Clock, Random } from "../clock.ts";
import { formatMasterKeys, makeMasterKey, parseMasterKeys, type MasterKeys } from "./master-keys.ts";
import { findPrivateText, findText, writePrivateFile } from "./private-file.ts";

export interface MasterKeySettings {
  /** Path of systemd's `$CREDENTIALS_DIRECTORY`. */
  credentialsDirectory: string | null;
  /** Text of `TIJOLO_MASTER_KEYS`. */
  text: string | null;
  /** Path in `TIJOLO_MASTER_KEY_FILE`. */
  file: string | null;
  ownFile: string;
}

export interface OpenedMasterKeys {
  source: MasterKeySource;
  keys: MasterKeys;
  /** Saves changed keys; null for keys that an operator provides: only the operator can change them. */
  save: ((keys: MasterKeys) => Promise<void>) | null;
}

const credentialName = "tijolo-master-keys";
const secret = {
  holds: "master keys",
  afterwards: "rotate the key afterwards: tijolo cluster master-key rotate.",
};

/**
 * Opens the keys. `mayMake`: nothing is sealed yet, so a missing file is made; otherwise it was lost, and
 * another key in its place would only hide that. Throws with a sentence for the operator, which contains
 * nothing of a key.
 */
export async function openMasterKeys(
  settings: MasterKeySettings,
  { clock, random, mayMake }: { clock: Clock; random: Random; mayMake: boolean },
): Promise<OpenedMasterKeys> {
  const { credentialsDirectory, text, file, ownFile } = settings;
  const credential = credentialsDirectory === null ? null : join(credentialsDirectory, credentialName);
  const credentialText = credential === null ? undefined : await findText(credential);
  if (credential !== null && credentialText !== undefined)
    return { source: "credentials", keys: parseMasterKeys(credentialText, credential), save: null };
  if (text !== null)
    return { source: "environment", keys: parseMasterKeys(text, "TIJOLO_MASTER_KEYS"), save: null };
  if (file !== null) {
    const found = await findPrivateText(file, secret);
    if (found === undefined) throw new Error(`TIJOLO_MASTER_KEY_FILE ${file} does not exist.`);
    return { source: "file", keys: parseMasterKeys(found, file), save: null };
  }
  const save = (keys: MasterKeys) => writePrivateFile(ownFile, formatMasterKeys(keys));
  const own = await findPrivateText(ownFile, secret);
  if (own !== undefined) return { source: "own", keys: parseMasterKeys(own, ownFile), save };
  const keys = mayMake ? [makeMasterKey({ clock, random })] : [];
  if (mayMake) await save(keys);
  return { source: "own", keys, save };
}
