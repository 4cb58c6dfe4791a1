/**
 * Keeps disks as directories with a project quota, on a host whose file system (ext4 or XFS) is mounted with
 * `prjquota`.
 */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { KeyedQueue } from "@tijolo/protocol/kit";
import { exec } from "../host/exec.ts";
import { flushFileSystem, flushTree } from "../host/files/flush.ts";
import { removeTree } from "../host/files/trees.ts";
import { findDiskDevice } from "./block-device.ts";
import { assertHostRoom, usageOfFileSystem } from "./disk-full.ts";
import type { DiskRequest, DiskUsed, ProjectDisks } from "./project-disks.ts";

const kibibytesPerMb = 1024;
/** KiB for which one file is allowed: dependencies of interpreted languages are files of some 8 KB. */
const kibibytesPerFile = 8;
const fewestFiles = 16_384;
const adoptTimeoutMs = 1_800_000;

export interface QuotaDisksOptions {
  kind: "ext4-quota" | "xfs-quota";
  dataDirectory: string;
  /**
   * Returns a number that no other project of this file system has, of this agent or another; the same number
   * each time.
   */
  quotaIdOf: (projectId: string) => number;
  logger: Pick<Logger, "info" | "warn">;
}

export class QuotaDisks implements ProjectDisks {
  readonly kind: QuotaDisksOptions["kind"];
  readonly #options: QuotaDisksOptions;
  readonly #queue = new KeyedQueue();
  /** Limits that this agent has set. */
  readonly #limits = new Map<string, number>();
  /** Projects for which this agent made sure that all in their directory counts against the quota. */
  readonly #adopted = new Set<string>();

  constructor(options: QuotaDisksOptions) {
    this.kind = options.kind;
    this.#options = options;
  }

  open(projectId: string, { limitMb, isUp }: DiskRequest): Promise<void> {
    return this.#queue.run(projectId, async () => {
      if (this.#limits.get(projectId) === limitMb && (isUp || this.#adopted.has(projectId))) return;
      const directory = this.#directory(projectId);
      if ((await mkdir(directory, { recursive: true, mode: 0o700 })) !== undefined)
        await assertHostRoom(this.#options.dataDirectory);
      // Nobody may swap a directory for a link meanwhile.
      if (!isUp) {
        await this.#quota("adopt", projectId);
        this.#adopted.add(projectId);
      }
      await this.#limit(projectId, limitMb);
    });
  }

  resize(projectId: string, limitMb: number): Promise<"resized" | "kept"> {
    return this.#queue.run(projectId, () => this.#limit(projectId, limitMb));
  }

  async usage(projectId: string): Promise<DiskUsed> {
    return usageOfFileSystem(this.#directory(projectId), this.#limits.get(projectId) ?? null);
  }

  async devices(projectId: string): Promise<string[]> {
    const device = await findDiskDevice(this.#directory(projectId));
    return device === undefined ? [] : [device];
  }

  flush(projectId: string): Promise<void> {
    return flushFileSystem(this.#directory(projectId));
  }

  flushTree(_projectId: string, directory: string): Promise<void> {
    return flushTree(directory);
  }

  remove(projectId: string): Promise<void> {
    return this.#queue.run(projectId, async () => {
      this.#limits.delete(projectId);
      this.#adopted.delete(projectId);
      await this.#quota("limit", projectId, ["0", "0"]);
      await removeTree(this.#directory(projectId));
    });
  }

  /** Does nothing: quotas live in the file system, and nothing is ever half done. */
  async recover(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  async #limit(projectId: string, limitMb: number): Promise<"resized" | "kept"> {
    const kibibytes = limitMb * kibibytesPerMb;
    const files = Math.max(fewestFiles, Math.floor(kibibytes / kibibytesPerFile));
    const gotMb = Math.ceil(
      Number(await this.#quota("limit", projectId, [String(kibibytes), String(files)])) / kibibytesPerMb,
    );
    this.#limits.set(projectId, gotMb);
    if (gotMb === limitMb) return "resized";
    this.#options.logger.warn(
      { projectId, limitMb, gotMb },
      "the disk holds more than its new limit; the limit is what its files take",
    );
    return "kept";
  }

  async #quota(action: "adopt" | "limit", projectId: string, words: readonly string[] = []): Promise<string> {
    const { dataDirectory, quotaIdOf } = this.#options;
    // Of a project whose directory is gone, any directory of the file system names it.
    const directory = action === "adopt" ? this.#directory(projectId) : dataDirectory;
    const argv = [
      "perl",
      join(import.meta.dirname, "project-quota.pl"),
      action,
      directory,
      String(quotaIdOf(projectId)),
      ...words,
    ];
    return (await exec(argv, { timeoutMs: adoptTimeoutMs })).stdout;
  }

  #directory(projectId: string): string {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(projectId))
      throw new Error(`not a project id: ${JSON.stringify(projectId)}`);
    return join(this.#options.dataDirectory, "projects", projectId);
  }
}
