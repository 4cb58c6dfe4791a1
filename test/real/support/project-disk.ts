/** What a test sees of projects' disks from outside: mounts, loop devices, room. */

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Mount points at and below a directory, deepest first. */
export function mountsBelow(directory: string): string[] {
  const points = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "");
  return points.filter((point) => point === directory || point.startsWith(`${directory}/`)).toReversed();
}

/** Files below a directory that loop devices hold, also those that were removed. */
export function loopFilesBelow(directory: string): string[] {
  return readdirSync("/sys/block")
    .filter((name) => name.startsWith("loop"))
    .map((name) => {
      try {
        return readFileSync(join("/sys/block", name, "loop/backing_file"), "utf8").trim();
      } catch {
        return "";
      }
    })
    .filter((file) => file.startsWith(`${directory}/`));
}

/** What a power cut does to mounts. One may go with another, where the directory above is shared. */
export function unmountBelow(directory: string): void {
  for (const point of mountsBelow(directory)) {
    if (mountsBelow(directory).includes(point)) execFileSync("umount", [point]);
  }
}

export function freeMb(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return (bavail * bsize) / 2 ** 20;
}
