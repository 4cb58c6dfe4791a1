/** Makes a layer out of packages of the npm registry. */

import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exec } from "../host/exec.ts";
import { makeOpenDirectory } from "../host/files/open-files.ts";
import type { BuildContext } from "./build-context.ts";
import { fetchNpmPackage } from "./npm-package.ts";
import type { NpmLayer } from "./recipe.ts";

export async function buildNpmLayer(layer: NpmLayer, context: BuildContext): Promise<void> {
  const { directory, scratch } = context;
  const registry = await context.npmRegistry();
  for (const npmPackage of layer.packages) {
    const unpacked = join(scratch, npmPackage.name.replace("/", "-"));
    await fetchNpmPackage(npmPackage, {
      registry,
      into: unpacked,
      progress: context.progress,
      signal: context.signal,
    });
    for (const { from, to } of npmPackage.place) {
      await mkdir(join(directory, dirname(to)), { recursive: true });
      await rename(join(unpacked, from), join(directory, to));
    }
    await rm(unpacked, { recursive: true, force: true });
  }
  // Packages carry whatever modes their publisher had.
  await exec(["chown", "--recursive", "--no-dereference", "0:0", directory]);
  await exec(["chmod", "--recursive", "u=rwX,go=rX", directory]);
  for (const { path, target } of layer.links) {
    await makeOpenDirectory(join(directory, dirname(path)));
    await symlink(target, join(directory, path));
  }
}
