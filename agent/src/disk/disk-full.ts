/** Distinguishes a full disk from other faults, and the project's disk from the host's. */

import { statfs } from "node:fs/promises";
import type { OwnerMessage } from "@tijolo/protocol";
import { DiskFullError, type DiskUsed, type ProjectDisks } from "./project-disks.ts";

/** Least free space of the host in MiB for new disks and new code: what runs already needs the rest. */
export const hostReserveMb = 256;

const mebibyte = 1024 * 1024;
/** With less free space than this on the host, a failed write may have failed on the host's own disk. */
const hostFullMb = 16;
const maxCauses = 8;

export interface DiskPlaces {
  disks: Pick<ProjectDisks, "usage">;
  dataDirectory: string;
}

/**
 * Returns the {@link DiskFullError} that a failed write for the project means when it failed for lack of
 * room, otherwise `error` itself.
 */
export async function diskFaultOf(
  { disks, dataDirectory }: DiskPlaces,
  projectId: string,
  error: unknown,
): Promise<unknown> {
  if (!isNoSpace(error)) return error;
  const [used, host] = await Promise.all([disks.usage(projectId).catch(() => null), statfs(dataDirectory)]);
  const isHostFull = (host.bavail * host.bsize) / mebibyte < hostFullMb;
  if (used === null || used.limitMb === null || isHostFull) return hostFull(error);
  // What did not fit has often been removed again by now.
  return new DiskFullError("project", projectFull(used), error);
}

/**
 * Throws when the project's disk is full. The agent itself is root, which some quotas do not bind, so it
 * checks after writing.
 */
export async function assertDiskNotFull(
  disks: Pick<ProjectDisks, "kind" | "usage">,
  projectId: string,
): Promise<void> {
  if (disks.kind !== "ext4-quota") return;
  const used = await disks.usage(projectId);
  if (used.full !== null) throw new DiskFullError("project", projectFull(used));
}

/** Throws unless the file system of `directory` has this much room beyond the reserve. */
export async function assertHostRoom(directory: string, neededMb = 0): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if ((bavail * bsize) / mebibyte < hostReserveMb + neededMb) throw hostFull();
}

/**
 * Reads the figures of `statfs(2)`; for a directory with a quota they are those of the quota, as `df` shows
 * them inside.
 */
export async function usageOfFileSystem(directory: string, limitMb: number | null): Promise<DiskUsed> {
  const { blocks, bfree, bavail, bsize, ffree, files } = await statfs(directory);
  // File systems keep the last bit for themselves.
  const full = bavail * bsize < 2 * mebibyte ? "bytes" : files > 0 && ffree < 8 ? "files" : null;
  return { usedMb: Math.round(((blocks - bfree) * bsize) / mebibyte), limitMb, full };
}

export function projectFull({ usedMb, limitMb, full }: DiskUsed): OwnerMessage {
  return { code: "project_disk_full", usedMb, limitMb, full };
}

function hostFull(cause?: unknown): DiskFullError {
  return new DiskFullError("host", { code: "host_disk_full" }, cause);
}

/**
 * True when the error or one of its causes has the code of a full disk or quota, or quotes such a message.
 */
export function isNoSpace(error: unknown): boolean {
  return chainOf(error).some((each) => {
    const code = "code" in each ? each.code : undefined;
    return code === "ENOSPC" || code === "EDQUOT" || noSpaceWords.test(each.message);
  });
}

/**
 * Messages of programs and commands about a full disk. A file watcher's limit has the same code, which Node
 * then prints quoted on a line of its own.
 */
export const noSpaceWords =
  /No space left on device|Disk quota exceeded|\bENOSPC\b(?!'|: System limit)|\bEDQUOT\b/;

function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < maxCauses; each = each.cause)
    chain.push(each);
  return chain;
}
