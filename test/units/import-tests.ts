/**
 * Runs the unit tests that stand beside the sources, many files in one process: starting a process and reading
 * the sources for each file costs several times what the tests themselves take.
 */

import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { measuringFiles } from "../measuring-files.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Imports each test file that a pattern (relative to the repository) names, in the order of names, but those
 * that are measured alone. Throws for a pattern that names none.
 */
export async function importTests(...patterns: string[]): Promise<void> {
  for (const pattern of patterns) {
    const files = globSync(pattern, { cwd: root }).sort();
    if (files.length === 0) throw new Error(`${pattern} names no test`);
    for (const file of files)
      if (!measuringFiles.includes(file)) await import(pathToFileURL(join(root, file)).href);
  }
}
