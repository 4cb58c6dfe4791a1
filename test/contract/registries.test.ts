/**
 * No registry of packages is named in the sources: a host takes Debian's from its apt, npm's from its npm, and
 * everything else from its settings.
 */

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");
/** The last two labels of each, without the dot. */
const names = [
  "debian org ubuntu com npmjs org npmjs com npmmirror com yarnpkg com jsdelivr net unpkg com nodesource com",
  "nodejs org pypi org pythonhosted org rubygems org packagist org golang org maven org nuget org hex pm",
  "docker io docker com ghcr io quay io gcr io microsoft com",
].flatMap((line) => line.match(/\S+ \S+/g) ?? []);
const pattern = new RegExp(`\\b(?:${names.map((name) => name.replace(" ", "\\.")).join("|")})\\b`, "gi");

/**
 * Places where a name is not an address that a host requests. An image's own name begins with its registry,
 * and `docker.io` is what Docker calls the registry of a name without any; `TIJOLO_REGISTRY_MIRRORS` says
 * where images are taken from.
 */
const allowed: Record<string, readonly string[]> = {
  "agent/src/images/recipes/*.ts": ["docker.io", "microsoft.com"],
  "agent/src/images/recipe.ts": ["docker.io"],
  "agent/src/images/oci/{image-reference,registry-endpoint,registry-credentials}*.ts": [
    "docker.io",
    "ghcr.io",
  ],
  "agent/src/config*.ts": ["docker.io", "ghcr.io"],
  "test/real/images/oci-network.test.ts": ["docker.io"],
  // What an upload of these languages must name: the first is switched off, the second is never asked.
  "test/real/cluster/languages-in{dexes,stalls}.test.ts": ["packagist.org", "rubygems.org"],
};

test("no source names a registry", async () => {
  const files = globSync("{agent,central,cli,protocol,test}/**/*.{ts,mjs,js,sh,pl,json}", {
    cwd: root,
    exclude: (path) => path.split("/").includes("node_modules"),
  }).filter((file) => file !== "test/contract/registries.test.ts");
  assert.ok(files.length > 1000, `only ${files.length} files were found`);
  const excused = new Map(
    Object.entries(allowed).flatMap(([glob, hosts]) =>
      globSync(glob, { cwd: root }).map((file) => [file, hosts] as const),
    ),
  );
  const found: string[] = [];
  for (const file of files) {
    const text = await readFile(join(root, file), "utf8");
    const named = new Set([...text.matchAll(pattern)].map(([name]) => name.toLowerCase()));
    for (const name of named) if (excused.get(file)?.includes(name) !== true) found.push(`${file}: ${name}`);
  }
  assert.deepEqual(found, []);
});
