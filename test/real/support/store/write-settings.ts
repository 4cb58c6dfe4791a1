/**
 * Program: writes one setting after the other into central's database, many at a time, and prints the number
 * of each that was acknowledged.
 */

import { openDatabase } from "../../../../central/src/store/sqlite/open-database.ts";
import { transact } from "../../../../central/src/store/store.ts";
import { saveSetting } from "../../../../central/src/store/tables/setting.ts";

const [, , path = "", first = ""] = process.argv;
const atOnce = 20;

const { db } = await openDatabase(path);
let next = Number(first);
const writer = async () => {
  for (;;) {
    const number = next++;
    await transact(db, (tx) => saveSetting(tx, `setting-${number}`, String(number).repeat(100)));
    process.stdout.write(`${number}\n`);
  }
};
await Promise.all(Array.from({ length: atOnce }, writer));
