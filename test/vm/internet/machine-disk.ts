/** Makes the disk that the machines of the internet drill boot from, once per tree. */

import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { machineTree } from "../../release/support/machine-tree.ts";
import { bootFilesIn, makeBootFiles } from "../boot-files.ts";
import type { BootFiles } from "../qemu-argv.ts";

const prefix = "internet-";
/** A host must have 10 GB that are free. */
const size = "16G";

export async function machineDisk(cacheDirectory: string): Promise<BootFiles> {
  await mkdir(cacheDirectory, { recursive: true });
  const tree = await machineTree("virtual");
  const name = `${prefix}${basename(tree)}`;
  const directory = join(cacheDirectory, name);
  if ((await stat(directory).catch(() => null)) !== null) return bootFilesIn(directory);
  const draft = await mkdtemp(join(cacheDirectory, "building-"));
  try {
    await makeBootFiles(tree, draft, { size });
    await rename(draft, directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  for (const other of await readdir(cacheDirectory))
    if (other.startsWith(prefix) && other !== name)
      await rm(join(cacheDirectory, other), { recursive: true });
  return bootFilesIn(directory);
}
