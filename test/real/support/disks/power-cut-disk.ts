/** A file system of its own that loses what is in memory only, as by a power cut. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../../support/until.ts";
import { loopFilesBelow, unmountBelow } from "./project-disk.ts";

/**
 * `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH` (linux/fs/ext4/ext4.h): what is in memory only stays
 * out, also of the journal.
 */
const shutDown = `open(my $directory, '<', $ARGV[0]) or die "$!"; my $how = pack('L', 2); ioctl($directory, 0x8004587d, $how) or die "shutdown: $!"`;

/** Begins the name of each directory; the number of its process follows. */
const prefix = "tijolo-power-cut-";

export class PowerCutDisk implements AsyncDisposable {
  /** Path where it is mounted. */
  readonly path: string;
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
    this.path = join(directory, "disk");
  }

  static async create(sizeMb: number): Promise<PowerCutDisk> {
    await removeDead();
    const directory = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
    // As agents do: what is unmounted here goes in every namespace that was made meanwhile, and their copies
    // hold the disk no longer.
    execFileSync("mount", ["--bind", directory, directory]);
    execFileSync("mount", ["--make-shared", directory]);
    const disk = new PowerCutDisk(directory);
    execFileSync("mkdir", [disk.path]);
    execFileSync("truncate", ["--size", `${sizeMb}M`, disk.#image]);
    execFileSync("mkfs.ext4", ["-q", disk.#image]);
    disk.#mount();
    return disk;
  }

  /** From here on nothing is written any more, whatever programs believe. */
  cut(): void {
    execFileSync("perl", ["-e", shutDown, this.path]);
  }

  /** Mounts the disk as it is after the cut. Nobody may have a file open on it. */
  async startAgain(): Promise<void> {
    await unmountBelow(this.path);
    // In all namespaces: its memory is gone then.
    await until(() => !loopFilesBelow(this.#directory).includes(this.#image));
    this.#mount();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await unmountBelow(this.#directory);
    await rm(this.#directory, { recursive: true });
  }

  get #image(): string {
    return `${this.path}.img`;
  }

  #mount(): void {
    execFileSync("mount", ["-o", "loop", this.#image, this.path]);
  }
}

/** Removes the disks of processes that were killed. */
async function removeDead(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix) || existsSync(`/proc/${name.slice(prefix.length).split("-")[0]}`)) continue;
    await unmountBelow(join(tmpdir(), name));
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}
