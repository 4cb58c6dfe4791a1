/** Makes what a virtual machine boots from, of a tree of Debian. */

import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../agent/src/host/exec.ts";
import type { BootFiles } from "./qemu-argv.ts";

const timeoutMs = 900_000;

export function bootFilesIn(directory: string): BootFiles {
  return {
    disk: join(directory, "disk.img"),
    kernel: join(directory, "vmlinuz"),
    initrd: join(directory, "initrd.img"),
  };
}

/** Makes the files in the directory. `size` is the disk's, as `mke2fs` reads it: `8G`. */
export async function makeBootFiles(
  root: string,
  directory: string,
  { size, signal }: { size: string; signal?: AbortSignal },
): Promise<void> {
  const { disk, kernel, initrd } = bootFilesIn(directory);
  for (const file of await readdir(join(root, "boot"))) {
    if (file.startsWith("vmlinuz-")) await cp(join(root, "boot", file), kernel);
    if (file.startsWith("initrd.img-")) await cp(join(root, "boot", file), initrd);
  }
  await exec(["mke2fs", "-q", "-t", "ext4", "-L", "tijolo-root", "-d", root, disk, size], {
    timeoutMs,
    ...(signal && { signal }),
  });
}
