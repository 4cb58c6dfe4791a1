/** Holds the SQL of single values that central stores. */

import type { Reader, Transaction } from "../store.ts";

export async function findSetting(db: Reader, name: string): Promise<string | undefined> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value;
}

export async function saveSetting(tx: Transaction, name: string, value: string): Promise<void> {
  await tx
    .insertInto("setting")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
