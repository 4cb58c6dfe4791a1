/** A file that holds an ext4 file system: its size for a limit, its making and its resizing. */

import { open, rename, rm, stat, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { exec } from "../host/exec.ts";
import { assertHostRoom } from "./disk-full.ts";
import { DiskDamagedError } from "./project-disks.ts";

const mebibyte = 1024 * 1024;
const blockSize = 4096;
const journalMb = 8;
/** One inode (256 bytes) for each: dependencies of interpreted languages are files of some 8 KB. */
const bytesPerInode = 8192;
/** A slow host with a large disk takes its time; what is cut short has to begin anew. */
const timeoutMs = 1_800_000;
const smallestLimitMb = 8;
/** Of what a check says, for the log. */
const maxSaid = 2_000;

/**
 * How large the file must be so that a project can use `limitMb`: with the inodes, the journal, and what ext4
 * keeps back for itself (2 %, at most 16 MB). Sparse: it takes what is in it.
 */
export function imageMb(limitMb: number): number {
  const limit = Math.max(smallestLimitMb, limitMb);
  return limit + Math.ceil(limit / 24) + Math.min(16, Math.ceil(limit / 50)) + journalMb + 2;
}

/** The limit that an image of this size was made for. */
export function limitOfImage(sizeMb: number): number {
  let limitMb = Math.max(smallestLimitMb, Math.floor((sizeMb - journalMb - 18) / (1 + 1 / 24)) - 2);
  while (imageMb(limitMb + 1) <= sizeMb) limitMb++;
  return limitMb;
}

/** A complete image appears at `path`, or none. */
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

/** The size of the file system in it, whatever that of the file is. */
export async function readImageMb(path: string): Promise<number> {
  await using file = await open(path, "r");
  const superblock = Buffer.alloc(64);
  await file.read(superblock, 0, superblock.length, 1024);
  if (superblock.readUInt16LE(56) !== 0xef53) throw new Error(`${path} holds no ext4 file system`);
  return (superblock.readUInt32LE(4) * (1024 << superblock.readUInt32LE(24))) / mebibyte;
}

/**
 * Of an image that no loop device holds: replays its journal and mends what a power cut or a full host has
 * torn. Throws {@link DiskDamagedError} when it cannot be mended.
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
 * Of an image that no loop device holds. Never smaller than what is in it: answers with the limit that it has
 * now. Files are moved about for it, and one that is cut short in this loses them: it is done on a copy,
 * which takes the image's place once it is complete. Rejects with the image as it was, also where the host
 * has no room for the copy.
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

/** Of a mounted image: only ever larger. Needs CAP_SYS_RESOURCE. */
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
