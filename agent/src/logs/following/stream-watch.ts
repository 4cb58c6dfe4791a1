/** Wakes a follower when files change in the directories of its streams, and says in which. */

import { watch, type FSWatcher } from "node:fs";
import { dirname } from "node:path";

/** Longest time that a change goes unnoticed: where every directory is watched, and where one cannot be. */
const safetyPollMs = 2_000;
const blindPollMs = 100;
/**
 * Levels of `<data>/logs/<projectId>/<section>/<stream>`: the stream's directory, and those above it that may
 * not exist either.
 */
const levels = 4;

export class StreamWatch {
  readonly #directories: readonly string[];
  readonly #watchers = new Map<string, FSWatcher>();
  /** Directories that do not exist: they are watched from above, if at all. */
  readonly #missing: Set<string>;
  readonly #changed: Set<string>;
  #isClosed = false;
  #wake: (() => void) | null = null;

  constructor(directories: readonly string[]) {
    this.#directories = directories;
    this.#missing = new Set(directories);
    this.#changed = new Set(directories);
  }

  /** Must be called before {@link take}, so that no change is missed in between. */
  rearm(): void {
    for (const directory of this.#missing) {
      if (!this.#changed.has(directory) && this.#isWatchedFromAbove(directory)) continue;
      this.#changed.add(directory);
      this.#reach(directory);
    }
  }

  /** True when the directory may have changed since the last call for it. */
  take(directory: string): boolean {
    return this.#changed.delete(directory);
  }

  /** Marks the directory as changed, because it has more to read although it does not change. */
  putBack(directory: string): void {
    this.#changed.add(directory);
  }

  /** Resolves when a directory has a change to take, at the latest after the poll, at once when closed. */
  async changed(): Promise<void> {
    if (this.#changed.size > 0 || this.#isClosed) return;
    const isBlind = [...this.#missing].some((directory) => !this.#isWatchedFromAbove(directory));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(
        () => {
          for (const directory of this.#directories) this.#changed.add(directory);
          resolve();
        },
        isBlind ? blindPollMs : safetyPollMs,
      );
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

  /**
   * Watches the directory, or else the nearest one above it; checks again after each watch from above, as the
   * directory may have been created before that.
   */
  #reach(directory: string): void {
    if (this.#watch(directory)) {
      this.#missing.delete(directory);
      return;
    }
    for (const above of pathsAbove(directory)) {
      if (this.#watchers.has(above)) return;
      if (this.#watch(above)) {
        this.#reach(directory);
        return;
      }
    }
  }

  #isWatchedFromAbove(directory: string): boolean {
    return pathsAbove(directory).some((path) => this.#watchers.has(path));
  }

  /** Returns false where the path is missing, and where the host has no watches left. */
  #watch(path: string): boolean {
    if (this.#isClosed) return false;
    if (this.#watchers.has(path)) return true;
    try {
      const watcher = watch(path, () => this.#onChange(path));
      watcher.on("error", () => this.#unwatch(path));
      this.#watchers.set(path, watcher);
      return true;
    } catch {
      return false;
    }
  }

  #unwatch(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
    if (this.#directories.includes(path)) this.#missing.add(path);
    this.#onChange(path);
  }

  #onChange(path: string): void {
    const before = this.#changed.size;
    for (const directory of this.#directories) {
      if (directory === path || (this.#missing.has(directory) && directory.startsWith(`${path}/`)))
        this.#changed.add(directory);
    }
    if (this.#changed.size > before) this.#wake?.();
  }
}

/** Returns the directories above, the nearest first. */
function pathsAbove(directory: string): string[] {
  const paths: string[] = [];
  for (let path = dirname(directory); paths.length < levels - 1; path = dirname(path)) paths.push(path);
  return paths;
}
