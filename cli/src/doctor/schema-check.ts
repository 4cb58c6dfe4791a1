/**
 * Compares the schema of a program's database with what the release in use knows: after a way back to an older
 * release, or with a database of elsewhere, the program does not start.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { releaseManifest } from "@tijolo/protocol";
import { runProgram } from "../install/run-program.ts";
import { fail, ok, type CheckResult } from "./check.ts";

const program = join(import.meta.dirname, "schema-version-program.ts");
const timeoutMs = 20_000;
/** File in the tree of a release with the versions of its schemas. */
const numbersFile = "numbers.json";
const numbers = releaseManifest.pick({ protocol: true, schemas: true });

export interface StoredSchema {
  /** Name of the schema in the release's numbers. */
  name: "central" | "ledger";
  database: string;
  /** Query whose `version` is that of the database's schema. */
  versionQuery: string;
  /** User who owns the database; null: root. */
  owner: string | null;
}

/**
 * Resolves with null where the release in use is older than this check. A schema that is older than the release's is
 * for the program to judge, which brings it forward at its start.
 */
export async function checkSchema(
  tree: string,
  { name, database, versionQuery, owner }: StoredSchema,
): Promise<CheckResult | null> {
  const text = await readFile(join(tree, numbersFile), "utf8").catch(() => null);
  if (text === null) return null;
  const known = numbers.parse(JSON.parse(text)).schemas[name]?.version ?? 0;
  const read = [
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    program,
    database,
    versionQuery,
  ] as const;
  const asOwner = [
    "setpriv",
    `--reuid=${owner}`,
    `--regid=${owner}`,
    "--clear-groups",
    "--",
    ...read,
  ] as const;
  const { stdout } = await runProgram([...(owner === null ? read : asOwner)], { timeoutMs, cwd: "/" });
  if (!/^\d{1,9}$/.test(stdout)) throw new Error(`${database}: ${stdout.slice(0, 100)}`);
  const found = `${database}: ${stdout} ≤ ${known}`;
  return Number(stdout) <= known ? ok(found) : fail(`${database}: ${stdout} > ${known}`);
}
