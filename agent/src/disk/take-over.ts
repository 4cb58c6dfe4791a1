/** Moves the files of a project that has none running from a directory into an image. */

import { lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { exec } from "../host/exec.ts";
import { sizeOfTree } from "../host/files/trees.ts";
import { assertHostRoom } from "./disk-full.ts";
import { makeImage } from "./disk-image.ts";
import { mountImage } from "./loop-devices.ts";

const copyTimeoutMs = 1_800_000;
/**
 * Name of the mark in a directory whose files are all in an image. The directory itself is the agent's: no
 * project can create the mark.
 */
const copiedMark = ".copied-into-image";

/**
 * Name prefix of the place where an image is mounted while it is filled; the rest is the project's id, and no
 * id begins so.
 */
export const movingPrefix = ".moving-";

export interface TakeOver {
  /**
   * Directory of the project's files, by its id below where disks are mounted. They stay there, see {@link
   * wasCopied}: the caller puts them away once the image is in place.
   */
  directory: string;
  image: string;
  limitMb: number;
  /** A directory on the file system that the image goes to. */
  roomIn: string;
}

/** Makes the image, which appears complete or not at all. It is larger than the limit when the files are. */
export async function copyIntoImage({ directory, image, limitMb, roomIn }: TakeOver): Promise<void> {
  const usedMb = Math.ceil((await sizeOfTree(directory, { timeoutMs: copyTimeoutMs })) / 2 ** 20);
  await assertHostRoom(roomIn, usedMb);
  const copy = `${image}.copy`;
  try {
    await rm(copy, { force: true });
    await makeImage(copy, Math.max(limitMb, Math.ceil(usedMb * 1.1)));
    // Beside the disks: what is unmounted there is so for containers and builds, too, that began meanwhile.
    await fill(copy, directory, join(dirname(directory), movingPrefix + basename(directory)));
    await rename(copy, image);
  } finally {
    await rm(copy, { force: true });
  }
  // Last: should this agent end before it, the files are kept.
  await writeFile(join(directory, copiedMark), "");
}

async function fill(image: string, from: string, mountPoint: string): Promise<void> {
  await mkdir(mountPoint, { recursive: true });
  try {
    await mountImage(image, mountPoint);
    await copyTree(from, mountPoint);
    await exec(["sync", "--file-system", mountPoint], { timeoutMs: copyTimeoutMs });
  } finally {
    await exec(["umount", mountPoint], { okCodes: [0, 32] }); // 32: it is not mounted, or in use: then it cannot be removed either
    await rmdir(mountPoint);
  }
}

/**
 * Copies everything except what ended runs have left, with the extended attributes that overlays keep on
 * their files.
 */
async function copyTree(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    if (name === copiedMark) continue; // of an image that is gone
    if (basename(from) === "disk" && name.startsWith("scratch-")) continue;
    if (name === "disk") {
      await mkdir(join(to, name));
      await copyTree(join(from, name), join(to, name));
      continue;
    }
    await exec(["cp", "--archive", "--one-file-system", "--", join(from, name), to], {
      timeoutMs: copyTimeoutMs,
      endsWithAgent: true,
    });
  }
}

/** True when everything in the directory is in the image too. */
export async function wasCopied(directory: string): Promise<boolean> {
  return lstat(join(directory, copiedMark)).then(
    () => true,
    () => false,
  );
}

export async function hasFiles(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.length > 0;
}
