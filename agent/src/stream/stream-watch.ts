/** Wakes a follower when files change in the directories of the streams that it follows. */

import { watch, type FSWatcher } from "node:fs";

/** How long a change goes unnoticed at most: where every directory is watched, and where one cannot be (yet). */
const safetyPollMs = 2_000;
const blindPollMs = 100;

export class StreamWatch {
  #directories: readonly string[];
  #watchers = new Map<string, FSWatcher>();
  #hasChanged = true;
  #isClosed = false;
  #wake: (() => void) | null = null;

  constructor(directories: readonly string[]) {
    this.#directories = directories;
  }

  /** Changes from now on end the next {@link changed}. To be called before reading, so that no change falls in between. */
  rearm(): void {
    this.#hasChanged = false;
    for (const directory of this.#directories) this.#watch(directory);
  }

  /** Resolves on a change since {@link rearm}, at the latest after the poll, at once when closed. */
  async changed(): Promise<void> {
    if (this.#hasChanged || this.#isClosed) return;
    const isBlind = this.#watchers.size < this.#directories.length;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, isBlind ? blindPollMs : safetyPollMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }

  close(): void {
    this.#isClosed = true;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#wake?.();
  }

  #watch(directory: string): void {
    if (this.#isClosed || this.#watchers.has(directory)) return;
    try {
      const watcher = watch(directory, () => this.#onChange());
      watcher.on("error", () => this.#unwatch(directory));
      this.#watchers.set(directory, watcher);
    } catch {
      // Missing, or no watches left: the poll stands in.
    }
  }

  #unwatch(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
    this.#onChange();
  }

  #onChange(): void {
    this.#hasChanged = true;
    this.#wake?.();
  }
}
