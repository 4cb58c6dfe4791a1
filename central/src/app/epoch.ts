/** The epoch rises with each start of central; it is also kept outside the database, so that a restored older database does not go back. */

import { readFile } from "node:fs/promises";
import { findSetting, saveSetting } from "../db/setting.ts";
import { transact } from "../db/open-database.ts";
import type { Database } from "../db/schema.ts";
import { writePrivateFile } from "./secrets/private-file.ts";

export async function raiseEpoch(db: Database, file: string): Promise<number> {
  const inFile = await readEpoch(file);
  const inDatabase = Number((await findSetting(db, "epoch")) ?? 0);
  const epoch = Math.max(inFile, inDatabase) + 1;
  await transact(db, (tx) => saveSetting(tx, "epoch", String(epoch)));
  await writePrivateFile(file, `${epoch}\n`);
  return epoch;
}

/** 0 where there is none yet. */
async function readEpoch(file: string): Promise<number> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "0";
    throw error;
  });
  return Number(text.trim()) || 0;
}
