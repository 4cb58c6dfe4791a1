/**
 * Compares the schema of a program's database with what the release in use knows: after a way back to an older
 * release, or with a database of elsewhere, the program does not start.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { releaseManifest } from "@tijolo/protocol";
import { fail, ok, type CheckResult } from "./check.ts";

/** File in the tree of a release with the versions of its schemas. */
const numbersFile = "numbers.json";
const numbers = releaseManifest.pick({ protocol: true, schemas: true });

export interface StoredSchema {
  /** Name of the schema in the release's numbers. */
  name: "central" | "ledger";
  database: string;
  /** Query whose `version` is that of the database's schema. */
  versionQuery: string;
}

/** An older schema is well: the program brings it forward at its start. */
export async function checkSchema(
  tree: string,
  { name, database, versionQuery }: StoredSchema,
): Promise<CheckResult> {
  const { schemas } = numbers.parse(JSON.parse(await readFile(join(tree, numbersFile), "utf8")));
  const known = schemas[name]?.version ?? 0;
  using file = new DatabaseSync(database, { readOnly: true });
  const version = Number(file.prepare(versionQuery).get()?.["version"]);
  const found = `${database}: ${version} ≤ ${known}`;
  return version <= known ? ok(found) : fail(`${database}: ${version} > ${known}`);
}
