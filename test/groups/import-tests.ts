/**
 * Runs many test files in one process. A process of its own costs each file about 1 s of processor time, to start
 * and to read the sources, as much as many of them take. A cluster in a process that has made one before costs
 * 0.1 s, so tests need not share clusters.
 */

import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, test } from "node:test";
import { measuringFiles } from "../measuring-files.ts";
import { ownProcessFiles } from "../own-process-files.ts";

const root = join(import.meta.dirname, "../..");
const load = createRequire(import.meta.url);

/**
 * Loads each test file that a pattern (relative to the repository) names, in the order of names, except those
 * that need a process of their own or are measured alone. Throws for a pattern that names none. Each file is a
 * suite with the file's path as its name, so its `before` and `after` run around its own tests, not around
 * the whole group. Files are loaded without `await`, as a suite only takes the tests that it knows of at once.
 */
export function importTests(...patterns: string[]): void {
  const alone = [...measuringFiles, ...ownProcessFiles];
  for (const pattern of patterns) {
    const files = globSync(pattern, { cwd: root }).sort();
    if (files.length === 0) throw new Error(`${pattern} names no test`);
    for (const file of files) if (!alone.includes(file)) importTestsOf(file);
  }
}

function importTestsOf(file: string): void {
  void describe(file, () => {
    try {
      load(join(root, file));
    } catch (error) {
      // Thrown here it would fail the suite alone, which no summary counts.
      void test("is loaded", () => {
        throw error;
      });
    }
  });
}
