/** Makes the disk that the machines of the internet drill boot from, once per tree. */

import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { once } from "../../../agent/src/host/checks/debian-tree.ts";
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
  await once(directory, async (target) => {
    await mkdir(target);
    await makeBootFiles(tree, target, { size });
  });
  for (const other of await readdir(cacheDirectory))
    if (other.startsWith(prefix) && other !== name)
      await rm(join(cacheDirectory, other), { recursive: true });
  return bootFilesIn(directory);
}
