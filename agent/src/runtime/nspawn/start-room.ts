/**
 * Keeps a little of each project's disk for the start of a container. What an earlier run frees is not always
 * as much as the next one takes: on a full disk, the file system lays down its own lists in a reserve that no
 * file may use, and what becomes free fills that up first.
 */

import { open, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../host/exec.ts";

const roomBytes = 512 * 1024;
/** Bytes that are given at a time: a little more than a container takes. */
const stepBytes = 64 * 1024;
/** With less free bytes than these the disk is full, and no room is taken from its project. */
const fullBytes = 2 * 1024 * 1024;

/** Takes the room where it is missing and the disk is not full. A file system that cannot hold it goes without. */
export async function keepStartRoom(disk: string): Promise<void> {
  const path = roomFile(disk);
  const { blocks } = await stat(path).catch(() => ({ blocks: 0 }));
  if (blocks * 512 >= roomBytes || (await isFull(disk))) return;
  const argv = ["fallocate", "--length", String(roomBytes), "--", path];
  await exec(argv, { endsWithAgent: true }).catch(() => {});
}

/** Gives a step of the room to a start. Returns false when none is left, or when it is not the disk that is full. */
export async function giveStartRoom(disk: string): Promise<boolean> {
  if (!(await isFull(disk))) return false;
  const file = await open(roomFile(disk), "r+").catch(() => null);
  if (file === null) return false;
  await using held = file;
  const { size } = await held.stat();
  await held.truncate(Math.max(0, size - stepBytes));
  await held.sync(); // only then may others have the blocks
  return size > 0;
}

async function isFull(disk: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(disk);
  return bavail * bsize < fullBytes;
}

function roomFile(disk: string): string {
  return join(disk, "start-room");
}
