/** Fetches the set of Debian packages for hosts without internet, once for each list of what belongs to it. */

import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { packageSetFile, type PackageSet } from "@tijolo/protocol";
import { fetchPackages } from "../../../cli/src/install/packages/fetch-packages.ts";
import { loadMessages } from "../../../cli/src/messages.ts";
import { machineTree } from "./machine-tree.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const architecture = process.arch === "arm64" ? "arm64" : "x64";
const set: PackageSet = { suite: "trixie", architecture };

/** Puts a set into the directory that is not older than the machine without packages. */
export async function placePackages(directory: string): Promise<void> {
  const tree = await machineTree("bare");
  const hash = createHash("sha256").update(tree);
  for (const name of ["fetch-packages.ts", "host-packages.ts"])
    hash.update(await readFile(join(root, "cli/src/install/packages", name)));
  const cache = join(root, ".tools/package-sets");
  const output = join(cache, hash.digest("hex").slice(0, 16));
  const file = join(output, packageSetFile(set));
  if ((await stat(file).catch(() => null)) === null) {
    await rm(cache, { recursive: true, force: true });
    await mkdir(output, { recursive: true });
    const messages = await loadMessages("en");
    await fetchPackages({ ...set, mirror: null, output, messages, say: () => {} });
  }
  await copyFile(file, join(directory, packageSetFile(set)));
}
