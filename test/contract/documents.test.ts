/** What the documents name exists, and every runtime dependency has its line and its use. */

import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");
const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs/settings.md",
  "docs/operating.md",
  "docs/failures.md",
];
const packages = ["protocol", "central", "agent", "cli"];
/** The part of a project that a path without its first folder belongs to. */
const places = [
  "",
  "docs",
  "central/src",
  "agent/src",
  "protocol/src",
  "central/src/api/edge",
  "central/src/app",
  "agent/src/project",
  "agent/src/project/steps",
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
  const names = new Set((await Promise.all(packages.map(dependenciesOf))).flat());
  assert.ok(names.size > 8);
  const rows = architecture.split("\n").filter((line) => line.startsWith("|"));
  for (const name of names)
    assert.ok(
      rows.some((row) => row.split("|")[1]?.includes(name)),
      `${name} has no line`,
    );
});

test("every runtime dependency is imported by the package that names it, or wanted by another that is", async () => {
  for (const name of packages) {
    const files = globSync("{src,kit}/**/*.ts", { cwd: join(root, name) });
    const source = (await Promise.all(files.map((file) => readFile(join(root, name, file), "utf8")))).join(
      "\n",
    );
    const dependencies = await dependenciesOf(name);
    const imported = dependencies.filter(
      (dependency) => source.includes(` from "${dependency}"`) || source.includes(` from "${dependency}/`),
    );
    assert.ok(imported.length > 2, imported.join());
    const wanted = await Promise.all(imported.map((dependency) => peersOf(name, dependency)));
    const unused = dependencies.filter(
      (dependency) => !imported.includes(dependency) && !wanted.flat().includes(dependency),
    );
    assert.deepEqual(unused, [], `${name} imports none of these`);
  }
});

async function dependenciesOf(name: string): Promise<string[]> {
  const { dependencies } = (await readJson(name, "package.json")) as { dependencies: Record<string, string> };
  return Object.keys(dependencies).filter((dependency) => !dependency.startsWith("@tijolo/"));
}

async function peersOf(name: string, dependency: string): Promise<string[]> {
  const manifest = (await readJson(name, "node_modules", dependency, "package.json")) as {
    peerDependencies?: Record<string, string>;
  };
  return Object.keys(manifest.peerDependencies ?? {});
}

async function readJson(...path: string[]): Promise<unknown> {
  return JSON.parse(await readFile(join(root, ...path), "utf8"));
}
