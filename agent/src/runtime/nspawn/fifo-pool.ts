/**
 * Keeps directories of ready fifos, made ahead: starting `mkfifo` takes longer than everything else that is
 * prepared for a container.
 */

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../host/exec.ts";

/** Names of the fifos by which a container's first process and its supervisor communicate (see init.sh). */
export const fifoNames = ["stdout", "stderr", "go", "code"] as const;

const batch = 8;
const fewLeft = 3;
const pauseMs = 500;
const maxAttempts = 5;

export class FifoPool {
  readonly #directory: string;
  readonly #ready: string[] = [];
  #filling: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Creates the pool and discards what an earlier agent left in `directory`. */
  static async create(directory: string): Promise<FifoPool> {
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    const pool = new FifoPool(directory);
    await pool.#fill();
    return pool;
  }

  /** Moves a directory of fifos to `target`, which must not exist, but whose parent must; for root only. */
  async take(target: string): Promise<void> {
    for (;;) {
      const ready = this.#ready.pop();
      if (this.#ready.length < fewLeft) this.#fillLater();
      if (ready === undefined) {
        await this.#fill();
        continue;
      }
      try {
        await rename(ready, target);
        return;
      } catch (error) {
        // Another agent on the same directory has cleared it: the next one, then.
        if (!existsSync(ready)) continue;
        this.#ready.push(ready);
        throw error;
      }
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#filling?.catch(() => {});
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  }

  /**
   * Fills the pool after a pause, so that the start that took a set has the machine to itself until then. A
   * failed fill is tried again once none is left.
   */
  #fillLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#fill().catch(() => {});
    }, pauseMs).unref();
  }

  #fill(): Promise<void> {
    this.#filling ??= this.#make().finally(() => {
      this.#filling = null;
    });
    return this.#filling;
  }

  /** Makes a batch, again when another agent on the same directory clears it meanwhile. */
  async #make(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const directories = Array.from({ length: batch }, () => join(this.#directory, randomUUID()));
      try {
        await makeFifos(directories);
        this.#ready.push(...directories);
        return;
      } catch (error) {
        if (attempt === maxAttempts || directories.every((directory) => existsSync(directory))) throw error;
      }
    }
  }
}

async function makeFifos(directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o700);
  }
  await exec([
    "mkfifo",
    "--mode=600",
    "--",
    ...directories.flatMap((directory) => fifoNames.map((name) => join(directory, name))),
  ]);
}
