/**
 * Keeps projects in plain directories without any limit: for the simulated machine, and for development
 * without containers.
 */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { flushTree } from "../host/files/flush.ts";
import { measureDirectory } from "../host/files/measure-directory.ts";
import { removeTree } from "../host/files/trees.ts";
import { DiskDamagedError, type DiskRequest, type DiskUsed, type ProjectDisks } from "./project-disks.ts";

const measureEveryMs = 60_000;

export class PlainDisks implements ProjectDisks {
  readonly kind = "plain";
  readonly #projects: string;
  readonly #limits = new Map<string, number>();
  readonly #measured = new Map<string, { usedMb: number; atMs: number }>();
  readonly #closed = new AbortController();

  readonly #isDamaged: (projectId: string) => boolean;

  /** `isDamaged` reports a damaged disk of a simulated machine. */
  constructor(dataDirectory: string, isDamaged: (projectId: string) => boolean = () => false) {
    this.#projects = join(dataDirectory, "projects");
    this.#isDamaged = isDamaged;
  }

  async open(projectId: string, { limitMb }: DiskRequest): Promise<void> {
    if (this.#isDamaged(projectId)) throw new DiskDamagedError("the disk is damaged");
    await mkdir(join(this.#projects, projectId), { recursive: true });
    this.#limits.set(projectId, limitMb);
  }

  async resize(projectId: string, limitMb: number): Promise<"resized"> {
    this.#limits.set(projectId, limitMb);
    return "resized";
  }

  async usage(projectId: string): Promise<DiskUsed> {
    const limitMb = this.#limits.get(projectId) ?? null;
    const known = this.#measured.get(projectId);
    if (known !== undefined && performance.now() - known.atMs < measureEveryMs)
      return { usedMb: known.usedMb, limitMb, full: null };
    const usedMb = await measureDirectory(join(this.#projects, projectId), this.#closed.signal);
    this.#measured.set(projectId, { usedMb, atMs: performance.now() });
    return { usedMb, limitMb, full: null };
  }

  async devices(): Promise<string[]> {
    return [];
  }

  async flush(): Promise<void> {}

  flushTree(_projectId: string, directory: string): Promise<void> {
    return flushTree(directory);
  }

  async remove(projectId: string): Promise<void> {
    await removeTree(join(this.#projects, projectId));
    this.#limits.delete(projectId);
    this.#measured.delete(projectId);
  }

  async recover(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new Error("the agent stops"));
  }
}
