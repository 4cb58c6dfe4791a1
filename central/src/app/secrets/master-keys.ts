/**
 * Parses master keys from text: one per line, `<id> <base64 of 32 bytes>`, the first one is the current.
 * Empty lines and lines that begin with # are skipped. No error contains anything of a key.
 */

import { createSecretKey, type KeyObject } from "node:crypto";
import type { Clock, Random } from "../clock.ts";

export interface MasterKey {
  id: string;
  key: KeyObject;
}

/** Keys: the first one seals, all of them open. */
export type MasterKeys = readonly MasterKey[];

const keyBytes = 32;

/** Parses the keys. `name` says in errors where the text came from; a comma separates as a line does. */
export function parseMasterKeys(text: string, name: string): MasterKeys {
  const keys: MasterKey[] = [];
  for (const [index, line] of text.split(/[\n,]/).entries()) {
    const words = line.trim();
    if (words === "" || words.startsWith("#")) continue;
    const [, id, base64] = /^([A-Za-z0-9_.-]{1,40})\s+([A-Za-z0-9+/]{43}=)$/.exec(words) ?? [];
    if (id === undefined || base64 === undefined) {
      throw new Error(
        `${name}: line ${index + 1} is not a master key. A line looks like: <id> <base64 of ${keyBytes} bytes>.`,
      );
    }
    if (keys.some((key) => key.id === id))
      throw new Error(`${name}: line ${index + 1} has the id of a line before it.`);
    keys.push({ id, key: createSecretKey(Buffer.from(base64, "base64")) });
  }
  if (keys.length === 0)
    throw new Error(`${name} holds no master key. A line looks like: <id> <base64 of ${keyBytes} bytes>.`);
  return keys;
}

export function formatMasterKeys(keys: MasterKeys): string {
  return keys.map(({ id, key }) => `${id} ${key.export().toString("base64")}\n`).join("");
}

/** Makes a master key; its id tells when it was made. */
export function makeMasterKey({ clock, random }: { clock: Clock; random: Random }): MasterKey {
  const at = new Date(clock.now()).toISOString().slice(0, 19).replace(/[-:T]/g, "");
  return {
    id: `${at}-${Buffer.from(random(3)).toString("hex")}`,
    key: createSecretKey(Buffer.from(random(keyBytes))),
  };
}
