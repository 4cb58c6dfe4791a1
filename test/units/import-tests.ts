/**
 * Runs the unit tests that stand beside the sources, many files in one process: starting a process and reading
 * the sources for each file costs several times what the tests themselves take.
 */

import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { measuringFiles } from "../measuring-files.ts";

const root = join(import.meta.dirname, "../..");
const load = createRequire(import.meta.url);

/**
 * Loads each test file that a pattern (relative to the repository) names, in the order of names, but those
 * that are measured alone. Throws for a pattern that names none. Nothing is awaited in between: the test
 * runner takes the tests that it knows of after one turn for all, and would look upon the process as over.
 */
export function importTests(...patterns: string[]): void {
  for (const pattern of patterns) {
    const files = globSync(pattern, { cwd: root }).sort();
    if (files.length === 0) throw new Error(`${pattern} names no test`);
    for (const file of files) if (!measuringFiles.includes(file)) load(join(root, file));
  }
}
