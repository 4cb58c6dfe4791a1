/** The epoch rises with each start of central; it is also kept outside the database, so that a restored older database does not go back. */

import { findSetting, saveSetting } from "../db/setting.ts";
import { transact } from "../db/open-database.ts";
import type { Database } from "../db/schema.ts";
import { findText, writePrivateFile } from "./secrets/private-file.ts";

export async function raiseEpoch(db: Database, file: string): Promise<number> {
  const inFile = Number((await findText(file))?.trim() ?? 0) || 0;
  const inDatabase = Number((await findSetting(db, "epoch")) ?? 0);
  const epoch = Math.max(inFile, inDatabase) + 1;
  await transact(db, (tx) => saveSetting(tx, "epoch", String(epoch)));
  await writePrivateFile(file, `${epoch}\n`);
  return epoch;
}
