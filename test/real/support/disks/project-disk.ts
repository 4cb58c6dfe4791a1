/** Reads from outside what a test needs of projects' disks: mounts, loop devices, files that hold room. */

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../../support/until.ts";

/** Returns the mount points at and below a directory, deepest first. */
export function mountsBelow(directory: string): string[] {
  const points = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "");
  return points.filter((point) => point === directory || point.startsWith(`${directory}/`)).toReversed();
}

/** Returns the files below a directory that loop devices hold, also those that were removed. */
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

/**
 * Unmounts as a power cut does. One mount may go with another, where the directory above is shared, or by the
 * hand of another process; one that a helper of an agent has open, which outlives the agent that was killed,
 * is waited for.
 */
export async function unmountBelow(directory: string): Promise<void> {
  await until(
    () => {
      for (const point of mountsBelow(directory)) {
        if (mountsBelow(directory).includes(point)) execFileSync("umount", [point], { stdio: "pipe" });
      }
      return mountsBelow(directory).length === 0;
    },
    { timeoutMs: 30_000, everyMs: 50 },
  );
}

/** Removed files below a directory that processes of this machine still have open: their room is not free. */
export function heldFilesBelow(directory: string): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const held = pids.flatMap((pid) =>
    openFiles(pid).filter((file) => file.startsWith(`${directory}/`) && file.endsWith(" (deleted)")),
  );
  return [...new Set(held)];
}

/** Returns the open files of a process; empty once it is gone. */
function openFiles(pid: string): string[] {
  const directory = join("/proc", pid, "fd");
  try {
    return readdirSync(directory).map((name) => readlinkSync(join(directory, name)));
  } catch {
    return [];
  }
}
