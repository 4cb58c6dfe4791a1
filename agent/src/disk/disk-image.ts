/** Makes, checks and resizes image files of an ext4 file system, and computes their size for a limit. */

import { open, rename, rm, stat, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { exec } from "../host/exec.ts";
import { assertHostRoom } from "./disk-full.ts";
import { DiskDamagedError } from "./project-disks.ts";

const mebibyte = 1024 * 1024;
const blockSize = 4096;
const journalMb = 8;
/** Bytes for which one inode (256 bytes) is made: dependencies are often files of some 8 KB. */
const bytesPerInode = 8192;
/** Deadline of an operation: large disks are slow, and an interrupted operation must begin anew. */
const timeoutMs = 1_800_000;
const smallestLimitMb = 8;
/** Most characters of a check's output that are logged. */
const maxSaid = 2_000;

/**
 * Returns the size that the file must have so that a project can use `limitMb`: it includes the inodes, the
 * journal, and what ext4 reserves for itself (2 %, at most 16 MB). The file is sparse: it occupies only what
 * is stored in it.
 */
export function imageMb(limitMb: number): number {
  const limit = Math.max(smallestLimitMb, limitMb);
  return limit + Math.ceil(limit / 24) + Math.min(16, Math.ceil(limit / 50)) + journalMb + 2;
}

/** Returns the limit that an image of this size was made for. */
export function limitOfImage(sizeMb: number): number {
  let limitMb = Math.max(smallestLimitMb, Math.floor((sizeMb - journalMb - 18) / (1 + 1 / 24)) - 2);
  while (imageMb(limitMb + 1) <= sizeMb) limitMb++;
  return limitMb;
}

/** Makes an image; a complete one appears at `path`, or none. */
export async function makeImage(path: string, limitMb: number): Promise<void> {
  const partial = `${path}.new`;
  await rm(partial, { force: true });
  const file = await open(partial, "wx", 0o600);
  await file.truncate(imageMb(limitMb) * mebibyte);
  await file.close();
  const extended = ["lazy_itable_init=1", "lazy_journal_init=1", "nodiscard", "root_owner=0:0"].join(",");
  const geometry = [
    "-b",
    String(blockSize),
    "-i",
    String(bytesPerInode),
    "-m",
    "0",
    "-J",
    `size=${journalMb}`,
    "-E",
    extended,
  ];
  await exec(["mkfs.ext4", "-q", "-F", ...geometry, partial], { timeoutMs, endsWithAgent: true });
  await rename(partial, path);
}

/** Returns the size of the file system in the image, which can differ from the size of the file. */
export async function readImageMb(path: string): Promise<number> {
  await using file = await open(path, "r");
  const superblock = Buffer.alloc(64);
  await file.read(superblock, 0, superblock.length, 1024);
  if (superblock.readUInt16LE(56) !== 0xef53) throw new Error(`${path} holds no ext4 file system`);
  return (superblock.readUInt32LE(4) * (1024 << superblock.readUInt32LE(24))) / mebibyte;
}

/**
 * Checks an image that no loop device holds: replays its journal and repairs what a power cut or a full host
 * has damaged. Throws {@link DiskDamagedError} when it cannot be repaired.
 */
export async function checkImage(path: string): Promise<void> {
  // 1: mended; 4: not without being asked; 8: not at all.
  const okCodes = [0, 1, 4, 8, 12];
  const { code } = await exec(["e2fsck", "-p", path], { timeoutMs, endsWithAgent: true, okCodes });
  if (code < 4) return;
  const {
    code: forcedCode,
    stdout,
    stderr,
  } = await exec(["e2fsck", "-f", "-y", path], { timeoutMs, endsWithAgent: true, okCodes });
  if (forcedCode < 4) return;
  const said = (stderr + stdout).trim().slice(-maxSaid);
  throw new DiskDamagedError(`e2fsck could not mend ${path} (code ${forcedCode}): ${said}`);
}

/**
 * Resizes an image that no loop device holds, never below what is stored in it, and returns the limit that it
 * then has. Resizing moves files, and one that is interrupted loses them: it works on a copy, which replaces
 * the image once it is complete. Rejects with the image unchanged, also where the host has no room for the
 * copy.
 */
export async function resizeImage(path: string, limitMb: number): Promise<number> {
  const nowMb = await readImageMb(path);
  const leastMb = Math.ceil((await readMinimumMb(path)) * 1.02) + 1;
  const sizeMb = Math.max(imageMb(limitMb), leastMb);
  if (limitMb < limitOfImage(nowMb) && sizeMb >= nowMb) return limitOfImage(nowMb);
  const copy = `${path}.resized`;
  try {
    await assertHostRoom(dirname(path), Math.ceil(((await stat(path)).blocks * 512) / mebibyte));
    await exec(["cp", "--sparse=always", "--reflink=auto", "--", path, copy], {
      timeoutMs,
      endsWithAgent: true,
    });
    await exec(["e2fsck", "-f", "-p", copy], { timeoutMs, endsWithAgent: true, okCodes: [0, 1] });
    if (sizeMb > nowMb) await truncate(copy, sizeMb * mebibyte);
    await exec(["resize2fs", copy, `${sizeMb}M`], { timeoutMs, endsWithAgent: true });
    await truncate(copy, sizeMb * mebibyte);
    await exec(["sync", copy], { timeoutMs });
    const gotMb = limitOfImage(await readImageMb(copy));
    await rename(copy, path);
    await exec(["sync", dirname(path)], { timeoutMs });
    return gotMb;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Grows a mounted image; a mounted image never shrinks. Needs CAP_SYS_RESOURCE. */
export async function growMountedImage(path: string, device: string, limitMb: number): Promise<void> {
  await truncate(path, imageMb(limitMb) * mebibyte);
  await exec(["losetup", "--set-capacity", device]);
  await exec(["resize2fs", device], { timeoutMs, endsWithAgent: true });
}

async function readMinimumMb(path: string): Promise<number> {
  const { stdout } = await exec(["resize2fs", "-P", path], { timeoutMs, endsWithAgent: true });
  const blocks = /: (\d+)\s*$/.exec(stdout)?.[1];
  if (blocks === undefined) throw new Error(`no smallest size of ${path}`);
  return (Number(blocks) * blockSize) / mebibyte;
}
