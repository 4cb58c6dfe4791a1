/**
 * Waiting for something to become true of a directory's files: looks at each change, and now and then without
 * one.
 */

import { watch, type FSWatcher } from "node:fs";

export interface DirectoryWatch {
  /** Changes are not told of: the host has no watch left, or the directory is gone. */
  readonly isBlind: boolean;
  /** Looks now; while a look is under way, once more after it. */
  look(): void;
  /** Stops looking. */
  close(): void;
}

/**
 * Calls `look` soon after each change in `directory`, and every `everyMs` besides, unless that is null. Calls
 * do not overlap; none may reject.
 */
export function watchDirectory(
  directory: string,
  everyMs: number | null,
  look: () => Promise<void>,
): DirectoryWatch {
  let isLooking = false;
  let isWanted = false;
  let isClosed = false;
  const run = () => {
    isWanted = true;
    if (isLooking || isClosed) return;
    isLooking = true;
    void (async () => {
      while (isWanted && !isClosed) {
        isWanted = false;
        await look();
      }
      isLooking = false;
    })();
  };
  let watcher = tryWatch(directory, run);
  watcher?.on("error", () => {
    watcher?.close();
    watcher = null;
  });
  const timer = everyMs === null ? undefined : setInterval(run, everyMs).unref();
  return {
    get isBlind() {
      return watcher === null;
    },
    look: run,
    close() {
      isClosed = true;
      watcher?.close();
      clearInterval(timer);
    },
  };
}

/** Null when it cannot be watched: the slow look goes on. */
function tryWatch(directory: string, onChange: () => void): FSWatcher | null {
  try {
    return watch(directory, { persistent: false }, onChange);
  } catch {
    return null;
  }
}

/**
 * Resolves with the first answer of `find` that is not undefined; looks at once and at each change in
 * `directory`, one look after the other. Undefined at the deadline.
 */
export async function untilFound<T>(
  directory: string,
  deadlineMs: number,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const watched = watchDirectory(directory, 250, async () => {
    try {
      const found = await find();
      if (found !== undefined) resolve(found);
    } catch (error) {
      reject(error);
    }
  });
  const deadline = setTimeout(() => resolve(undefined), deadlineMs);
  try {
    watched.look();
    return await promise;
  } finally {
    watched.close();
    clearTimeout(deadline);
  }
}
