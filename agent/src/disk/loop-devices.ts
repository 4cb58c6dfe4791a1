/**
 * Finds and mounts loop devices, which make a block device of a file; the agent's own free themselves when
 * nothing uses them any more.
 */

import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../host/exec.ts";

const mountOptions = [
  "loop",
  "nosuid",
  "nodev",
  "noatime",
  "discard",
  "noinit_itable",
  "errors=remount-ro",
].join(",");
const mountTimeoutMs = 60_000;

/**
 * Returns the devices by the file behind them. A removed file is listed too until its last user is gone; its
 * name then ends in ` (deleted)`.
 */
export async function loopDevices(): Promise<Map<string, string>> {
  const names = (await readdir("/sys/block")).filter((name) => name.startsWith("loop"));
  const found = names.map((name): [string, string] => [backingFile(name), `/dev/${name}`]);
  return new Map(found.filter(([file]) => file !== ""));
}

/**
 * Reads synchronously: the kernel makes the file in memory, and otherwise hundreds of disks that look for
 * hundreds of devices would have them all open.
 */
function backingFile(name: string): string {
  try {
    return readFileSync(join("/sys/block", name, "loop/backing_file"), "utf8").trimEnd();
  } catch {
    return ""; // of a device that is free
  }
}

/**
 * Mounts an image. An image that a device holds already is mounted by that one, as the same file system.
 * Reads and writes bypass the page cache of the file, or everything would be in memory twice.
 */
export async function mountImage(image: string, mountPoint: string): Promise<void> {
  await exec(["mount", "-t", "ext4", "-o", mountOptions, image, mountPoint], { timeoutMs: mountTimeoutMs });
  const device = (await loopDevices()).get(image);
  // Not every file system can do without its cache; then it is slower and costs memory.
  if (device !== undefined) await exec(["losetup", "--direct-io=on", device], { okCodes: [0, 1] });
}
