/** What the documents name exists, and every runtime dependency has its line. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");
const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];
const packages = ["protocol", "central", "agent", "cli"];
/** The part of a project that a path without its first folder belongs to. */
const places = [
  "",
  "central/src",
  "agent/src",
  "protocol/src",
  "central/src/api",
  "central/src/app",
  "agent/src/reconcile",
  "agent/src/runtime",
  "agent/src/link",
  "agent/src/runtime/nspawn",
];

test("every file that a document names exists", async () => {
  let named = 0;
  for (const document of documents) {
    const text = await readFile(join(root, document), "utf8");
    for (const [, path = ""] of text.matchAll(/[`(]([\w./-]+\.(?:ts|mjs|pl|sql|json|md))[`)]/g)) {
      if (path === "svc.json" || path === "identity.pem") continue;
      named++;
      assert.ok(
        places.some((place) => existsSync(join(root, place, path))),
        `${document} names ${path}`,
      );
    }
  }
  assert.ok(named > 30, `only ${named} files were found in the documents`);
});

test("every runtime dependency has a line that says why", async () => {
  const architecture = await readFile(join(root, "ARCHITECTURE.md"), "utf8");
  const names = new Set<string>();
  for (const name of packages) {
    const { dependencies } = JSON.parse(await readFile(join(root, name, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    for (const dependency of Object.keys(dependencies)) if (!dependency.startsWith("@tijolo/")) names.add(dependency);
  }
  assert.ok(names.size > 8);
  const rows = architecture.split("\n").filter((line) => line.startsWith("|"));
  for (const name of names)
    assert.ok(
      rows.some((row) => row.split("|")[1]?.includes(name)),
      `${name} has no line`,
    );
});
