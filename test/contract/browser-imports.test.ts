/** What `protocol` exports for browsers loads no schema and no text: neither zod nor the table of operations. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");

/** The subpaths that a browser imports, with the packages that they may load. */
const subpaths: Record<string, readonly string[]> = {
  "./choices": [],
  "./client": ["eventsource-parser"],
  "./dotenv": [],
  "./ignore": ["ignore"],
  "./lengths": [],
  "./project": [],
  "./variables": [],
};

const { exports } = JSON.parse(readFileSync(join(root, "protocol/package.json"), "utf8")) as {
  exports: Record<string, string>;
};

for (const [subpath, packages] of Object.entries(subpaths)) {
  test(`@tijolo/protocol${subpath.slice(1)} loads ${packages.join(", ") || "no package"}`, async () => {
    const loaded = await loadedBy(join("protocol", exports[subpath] ?? "missing"));
    assert.deepEqual([...loaded].filter((name) => !name.startsWith("protocol/")).toSorted(), packages);
  });
}

test("the walk finds the schemas that the whole of protocol loads", async () => {
  const loaded = await loadedBy("protocol/src/index.ts");
  assert.ok(loaded.has("zod") && loaded.has("protocol/src/contract/operations.ts"));
});

test("imports of types load nothing; those of values do, in each form", () => {
  const source = `
import type { A } from "./a.ts";
import { type B } from "./b.ts";
import {
  c,
  type D,
} from "./c.ts";
import "./d.ts";
export type * from "./e.ts";
export * from "./f.ts";
export { g } from "./g.ts";
const h = await import("./h.ts");
`;
  assert.deepEqual(importsOf(source), ["./b.ts", "./c.ts", "./d.ts", "./f.ts", "./g.ts", "./h.ts"]);
});

/** Resolves with all files and packages that `file` loads when it runs, itself included. */
async function loadedBy(file: string, seen = new Set<string>()): Promise<Set<string>> {
  const path = normalize(file);
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const specifier of importsOf(await readFile(join(root, path), "utf8"))) {
    if (specifier.startsWith(".")) await loadedBy(join(path, "..", specifier), seen);
    else seen.add(specifier);
  }
  return seen;
}

/**
 * Returns what a source imports when it runs. Types are stripped: `import type` goes, and an import of values
 * stays with what is a type among its names, also when nothing else is (`verbatimModuleSyntax`).
 */
function importsOf(source: string): string[] {
  const form = /^(?:import|export)\s(?!type\b)(?:[\w*{][^"';=]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...source.matchAll(form)].map(([, named, called]) => named ?? called ?? "");
}
