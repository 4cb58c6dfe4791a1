/**
 * Defines what the agent needs of a store that gives each project a disk of its own, with a limit that the
 * kernel enforces.
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
   * Makes the project's disk usable, with this limit if it can be applied now; must be called before anything
   * of the project is written. Files from before there were disks are moved into it while the project is
   * down. Throws {@link DiskFullError} when the host itself has no room, {@link DiskDamagedError} when the
   * disk cannot be repaired.
   */
  open(projectId: string, request: DiskRequest): Promise<void>;

  /**
   * Gives an open disk another limit. `later`: only while the project is down, by the next {@link open}.
   * `kept`: the files need more than that, and the limit is as low as they allow; or it could not be changed,
   * and the limit is what it was.
   */
  resize(projectId: string, limitMb: number): Promise<"resized" | "later" | "kept">;

  /** Returns the usage. Rejects when the project has no disk. */
  usage(projectId: string): Promise<DiskUsed>;

  /**
   * Returns `major:minor` of the block devices on which the I/O of the project's own files counts; empty when
   * none of them can be limited.
   */
  devices(projectId: string): Promise<string[]>;

  /** Flushes the project's disk: what was written until now survives a power cut. */
  flush(projectId: string): Promise<void>;

  /**
   * Flushes at least the files below `directory`, which is on the disk; where other projects are on the same
   * file system, it does not wait for theirs.
   */
  flushTree(projectId: string, directory: string): Promise<void>;

  /** Frees the disk with all that is on it. Must be called when nothing of the project runs. */
  remove(projectId: string): Promise<void>;

  /**
   * Takes over existing disks after the start of the agent, makes those usable that a restart of the host
   * unmounted, and frees leftovers.
   */
  recover(): Promise<void>;
}

export interface DiskRequest {
  /** Mebibytes that the project's files may take. */
  limitMb: number;
  /** True when a container of the project runs or may run: then its files stay where they are. */
  isUp: boolean;
}

export interface DiskUsed {
  usedMb: number;
  /** Limit in MiB; null: there is none. */
  limitMb: number | null;
  /** Reason why it is full. `bytes`: no room is left; `files`: no further file can be made. */
  full: "bytes" | "files" | null;
  /** True when the file system met an error, and takes no writes until the project's next start checks it. */
  isReadOnly?: boolean;
}

/** Thrown when a write met the end of a disk: the project's (`project`) or the host's own (`host`). */
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
 * Thrown when no check could repair the disk: nothing on it can be used until an operator has repaired it. It
 * is logged for the operator where it is found.
 */
export class DiskDamagedError extends Error {
  override name = "DiskDamagedError";
  readonly forOwner: OwnerMessage = { code: "disk_damaged" };
}
