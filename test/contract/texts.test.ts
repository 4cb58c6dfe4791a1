/** What a person reads from central or the command line stands in `protocol/src/texts`, in both languages. */

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");
/**
 * Literals that are no text of a language. What runs before the Node that reads TypeScript is there
 * (`cli/bin`, `cli/bootstrap`) keeps its texts beside it and is not looked at.
 */
const allowed: Record<string, string> = {
  // An example of an operator's name.
  "cli/src/commands/cluster/operator/add.ts": "plantão",
};
/** The page shows the OpenAPI document in Portuguese. */
const withoutEnglish = ["docs-page.ts"];

const withoutComments = (source: string) => source.replaceAll(/(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm, "");

test("no source of central or the command line holds a Portuguese text or a pair of texts", async () => {
  const files = globSync("{central,cli}/src/**/*.ts", { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  assert.ok(files.length > 300, `only ${files.length} files were found`);
  const found: string[] = [];
  for (const file of files) {
    const source = withoutComments(await readFile(join(root, file), "utf8"));
    for (const line of source.replaceAll(allowed[file] ?? /$^/g, "").split("\n"))
      if (/[À-ÖØ-öø-ÿ]|\b(?:pt|en): ["'`]/.test(line)) found.push(`${file}: ${line.trim()}`);
  }
  assert.deepEqual(found, []);
});

test("every file of Portuguese texts has its English one", () => {
  const filesOf = (language: string) =>
    globSync("**/*.ts", { cwd: join(root, "protocol/src/texts", language) }).toSorted();
  const portuguese = filesOf("pt").filter((file) => !withoutEnglish.includes(file));
  assert.ok(portuguese.length > 10);
  assert.deepEqual(filesOf("en"), portuguese);
});
