/**
 * What the agent needs of a thing that gives each project a disk of its own, with a limit that the kernel
 * enforces.
 */

import type { OwnerMessage } from "@tijolo/protocol";

/**
 * The disk of a project is everything below `<data>/projects/<id>`: its uploads, its install layers, what it
 * wrote itself and what its runs write into their root. A write beyond the limit fails with ENOSPC (an image)
 * or EDQUOT (a quota), in the project and nowhere else.
 *
 * Every method is idempotent, and those on one project wait for each other.
 */
export interface ProjectDisks extends AsyncDisposable {
  readonly kind: "xfs-quota" | "ext4-quota" | "image" | "plain";

  /**
   * Makes the project's disk usable, with this limit if it can be had now; to be called before anything of
   * the project is written. Files from before there were disks are moved into it while the project is down.
   * Throws {@link DiskFullError} when the host itself has no room, {@link DiskDamagedError} when the disk is
   * beyond mending.
   */
  open(projectId: string, request: DiskRequest): Promise<void>;

  /**
   * Gives a disk that is open another limit. `later`: only while the project is down, by the next {@link
   * open}. `kept`: the files need more than that, and the limit is as low as they allow; or it could not be
   * done, and the limit is what it was.
   */
  resize(projectId: string, limitMb: number): Promise<"resized" | "later" | "kept">;

  /** Rejects when the project has no disk. */
  usage(projectId: string): Promise<DiskUsed>;

  /**
   * `major:minor` of the block devices on which the io of the project's own files counts; empty when there is
   * none that could be limited.
   */
  devices(projectId: string): Promise<string[]>;

  /** What was written on the disk until now survives a power cut. */
  flush(projectId: string): Promise<void>;

  /**
   * The same at least of the files below `directory`, which is on the disk; where others are on the same file
   * system, it does not wait for theirs.
   */
  flushTree(projectId: string, directory: string): Promise<void>;

  /** Frees the disk with all that is on it. To be called when nothing of the project runs. */
  remove(projectId: string): Promise<void>;

  /**
   * After the start of the agent: disks that are there are taken over, those that a restart of the host took
   * are made usable, leftovers are freed.
   */
  recover(): Promise<void>;
}

export interface DiskRequest {
  /** Mebibytes that the project's files may take. */
  limitMb: number;
  /** A container of the project runs or may run: its files stay where they are. */
  isUp: boolean;
}

export interface DiskUsed {
  usedMb: number;
  /** Null: there is none. */
  limitMb: number | null;
  /** `bytes`: no room is left; `files`: no further file can be made. */
  full: "bytes" | "files" | null;
  /** The file system met an error, and takes nothing more until the project's next start checks it. */
  isReadOnly?: boolean;
}

/** A write met the end of a disk: the project's (`project`) or the host's own (`host`). */
export class DiskFullError extends Error {
  override name = "DiskFullError";
  readonly of: "project" | "host";
  readonly forOwner: OwnerMessage;

  constructor(of: "project" | "host", forOwner: OwnerMessage, cause?: unknown) {
    super(of === "project" ? "the project's disk is full" : "the host has no room left on its disk", {
      cause,
    });
    this.of = of;
    this.forOwner = forOwner;
  }
}

/**
 * No check could mend the disk: nothing on it can be used until an operator has seen to it. Told to the
 * operator where it is found.
 */
export class DiskDamagedError extends Error {
  override name = "DiskDamagedError";
  readonly forOwner: OwnerMessage = { code: "disk_damaged" };
}
