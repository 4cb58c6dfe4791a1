/**
 * Makes a disk that is soon full: in memory, in a mount namespace of its own that goes with its holder. Needs
 * root.
 */

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

const mountPoint = "/mnt";

export class SmallDisk implements AsyncDisposable {
  /** Path of its files, by way of the holder's own view of the machine. */
  readonly directory: string;
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
    this.directory = `/proc/${holder.pid}/root${mountPoint}`;
  }

  static async create(sizeBytes: number): Promise<SmallDisk> {
    const script = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && echo mounted && exec cat';
    const holder = spawn("unshare", ["--mount", "sh", "-c", script, "sh", String(sizeBytes), mountPoint], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const disk = new SmallDisk(holder);
    const said = await Promise.race([once(holder.stdout, "data"), once(holder, "exit").then(() => null)]);
    if (said === null) throw new Error("no disk could be mounted");
    return disk;
  }

  get #ballast(): string {
    return join(this.directory, "ballast");
  }

  /**
   * Makes a directory on the disk that is a mount of its own, open to all, on which nothing can be changed.
   */
  mountReadOnly(name: string): void {
    mkdirSync(join(this.directory, name), { recursive: true });
    const mount = ["mount", "-t", "tmpfs", "-o", "ro,mode=755", "tmpfs", join(mountPoint, name)];
    execFileSync("nsenter", [`--mount=/proc/${this.#holder.pid}/ns/mnt`, ...mount]);
  }

  /** Fills the disk to the last byte. */
  fill(): void {
    fillDisk(this.#ballast);
  }

  /** Removes what filled it. */
  makeRoom(): void {
    rmSync(this.#ballast);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#holder, "exit");
    this.#holder.kill("SIGKILL");
    await ended;
  }
}

/** Writes to the file until its disk has no byte left. */
export function fillDisk(path: string): void {
  const file = openSync(path, "a");
  try {
    for (const block = Buffer.alloc(4096); ;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}

/** Bytes that are written, not only allocated, at the end of a large disk. */
const writtenBytes = 4 * 2 ** 20;

/**
 * Fills the disk of the file to the last byte, also a large one: nearly all of it is allocated without being
 * written.
 */
export function fillLargeDisk(path: string): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  const bytes = bavail * bsize - writtenBytes;
  if (bytes > 0) execFileSync("fallocate", ["--length", String(bytes), path]);
  fillDisk(path);
  // What a file system held back for writes under way is free once they are on the disk.
  const file = openSync(path, "a");
  fsyncSync(file);
  closeSync(file);
  fillDisk(path);
}
