/** Places the master keys where systemd hands them to central: its user cannot read the file itself. */

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeWhole } from "../file-steps.ts";
import { centralFiles, centralUser } from "../places.ts";
import { readOwn } from "../read-own.ts";
import type { Undo } from "../steps.ts";

export interface MasterKeyPlaces {
  /** File that is written, for root alone. */
  target: string;
  /** File of central's own keys in its data, which an installation moves. */
  own: string;
}

const installed: MasterKeyPlaces = {
  target: centralFiles.masterKeys,
  own: join(centralFiles.data, "master-keys"),
};

/**
 * Writes the keys where there are none: those of the environment, as central itself takes them, otherwise its own
 * ones, otherwise a new one.
 */
export async function moveMasterKeys(
  environment: Readonly<Record<string, string | undefined>>,
  { target, own }: MasterKeyPlaces = installed,
): Promise<Undo | null> {
  if (existsSync(target)) return null;
  const given = await findGiven(environment);
  if (given !== null) return writeWhole({ path: target, text: given, mode: 0o600 });
  const found = await findOwn(own);
  const text = found ?? `${centralUser}-${Date.now()} ${randomBytes(32).toString("base64")}\n`;
  const undo = await writeWhole({ path: target, text, mode: 0o600 });
  if (found !== null) await rm(own);
  return async () => {
    // Central may have sealed with it meanwhile, so the key stays beside the data.
    if (existsSync(dirname(own))) await writeWhole({ path: own, text, mode: 0o600 });
    await undo?.();
  };
}

/** Returns the operator's own keys; null without any. The variable with keys comes before that with a file. */
async function findGiven(environment: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  const text = environment["TIJOLO_MASTER_KEYS"] || null;
  const file = environment["TIJOLO_MASTER_KEY_FILE"] || null;
  if (text !== null) return `${text.trim()}\n`;
  if (file === null) return null;
  return readFile(file, "utf8").catch((cause: Error) => {
    throw new Error(`TIJOLO_MASTER_KEY_FILE: ${cause.message}`, { cause });
  });
}

/** Returns central's own keys; null where there is no file. A link, which central's user can place, is refused. */
async function findOwn(own: string): Promise<string | null> {
  return readOwn(own).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
