/** Names block devices by their numbers, which is how cgroups address them. */

import { readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns `major:minor` of the whole disk under a path; undefined without a block device (tmpfs, btrfs,
 * network).
 */
export async function findDiskDevice(path: string): Promise<string | undefined> {
  const { dev } = await stat(path);
  const major = Math.floor(dev / 256) & 0xfff;
  const minor = (dev & 0xff) | (Math.floor(dev / 0x1000) & 0xfff00);
  if (major === 0) return undefined;
  const device = await realpath(`/sys/dev/block/${major}:${minor}`).catch(() => undefined);
  if (device === undefined) return undefined;
  // Limits are those of whole disks.
  const isPartition = await readFile(join(device, "partition"), "utf8").then(
    () => true,
    () => false,
  );
  return (await readFile(join(device, isPartition ? "../dev" : "dev"), "utf8")).trim();
}
