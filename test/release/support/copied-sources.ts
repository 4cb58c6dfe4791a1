/** A copy of the sources in another folder, with the packages that are installed here. */

import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { basename, join, relative } from "node:path";

const repository = join(import.meta.dirname, "../../..");
const packages = ["protocol", "central", "central/panel", "central/gateway", "agent", "cli"];
const files = ["package.json", "pnpm-lock.yaml", "tsconfig.json", "LICENSE", "examples", ...packages];
const notCopied = new Set(["node_modules", ".tijolo"]);

/** Makes the copy in `root`, which must not exist. */
export async function copySources(root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const file of files.filter((name) => !name.startsWith("central/")))
    await cp(join(repository, file), join(root, file), {
      recursive: true,
      filter: (source) => !notCopied.has(basename(source)),
    });
  for (const name of [".", ...packages]) await linkPackages(join(repository, name), join(root, name), root);
}

/** Links what the folder depends on; a package of the workspace is the copy's own. */
async function linkPackages(original: string, copy: string, root: string): Promise<void> {
  const modules = join(original, "node_modules");
  await mkdir(join(copy, "node_modules"), { recursive: true });
  for (const name of await readdir(modules)) {
    if (name === "@tijolo") await mkdir(join(copy, "node_modules", name));
    else await symlink(join(modules, name), join(copy, "node_modules", name));
  }
  for (const name of await readdir(join(modules, "@tijolo")).catch(() => [])) {
    const place = packages.find((path) => basename(path) === name) ?? name;
    const link = join(copy, "node_modules/@tijolo", name);
    await symlink(relative(join(copy, "node_modules/@tijolo"), join(root, place)), link);
  }
  // Node for a release is fetched once for all copies.
  if (copy === root) {
    await mkdir(join(repository, ".tools/release"), { recursive: true });
    await mkdir(join(root, ".tools"));
    await symlink(join(repository, ".tools/release"), join(root, ".tools/release"));
  }
}
