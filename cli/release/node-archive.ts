/** Brings Node for a release: npm's package for the architecture, whose hash is pinned. */

import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import type { ReleaseArchitecture } from "@tijolo/protocol";
import { integrity, nodePackages, nodeVersion } from "../bootstrap/pinned.mjs";
import { runStep } from "./run-step.ts";
import { fileEntry, type TreeEntry } from "./tree-entry.ts";
import { writeFile } from "node:fs/promises";

/** Files that are packed, by their place in npm's package. */
const places: Record<string, string> = {
  "package/bin/node": "bin/node",
  "package/LICENSE": "LICENSE.nodejs",
};

/**
 * Returns the entries of Node. The archive is fetched once into `<root>/.tools/release`. `into` is a directory
 * that must stay until the entries are packed.
 */
export async function nodeEntries(
  root: string,
  { architecture, into }: { architecture: ReleaseArchitecture; into: string },
): Promise<TreeEntry[]> {
  const archive = await fetchArchive(root, nodePackages[architecture]);
  const unpack = extract();
  const entries: TreeEntry[] = [];
  unpack.end(gunzipSync(archive));
  for await (const entry of unpack) {
    const place = places[entry.header.name];
    if (place === undefined) {
      entry.resume();
      continue;
    }
    const file = join(into, `node-${architecture}-${entries.length}`);
    await writeFile(file, await buffer(entry));
    entries.push(fileEntry(place, file, place === "bin/node"));
  }
  if (!entries.some(({ path }) => path === "bin/node"))
    throw new Error(`${nodePackages[architecture]} has no package/bin/node`);
  return entries;
}

async function fetchArchive(root: string, name: string): Promise<Buffer> {
  const directory = join(root, ".tools", "release");
  const file = join(directory, `${name}-${nodeVersion}.tgz`);
  const kept = await readFile(file).catch(() => null);
  if (kept !== null && isPinned(name, kept)) return kept;
  await mkdir(directory, { recursive: true });
  const scratch = join(directory, `fetching-${process.pid}`);
  await mkdir(scratch, { recursive: true });
  try {
    await runStep(["npm", "pack", `${name}@${nodeVersion}`, "--silent"], scratch);
    const fetched = await readFile(join(scratch, `${name}-${nodeVersion}.tgz`));
    if (!isPinned(name, fetched)) throw new Error(`${name}@${nodeVersion} has not the pinned hash`);
    await rename(join(scratch, `${name}-${nodeVersion}.tgz`), file);
    return fetched;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function isPinned(name: string, bytes: Buffer): boolean {
  const hash = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  return integrity[name] === hash;
}
