/** Waits until a condition on a directory's files holds: checks at each change, and periodically. */

import { watch, type FSWatcher } from "node:fs";

export interface DirectoryWatch {
  /** True when changes are not notified: the host has no watch left, or the directory is gone. */
  readonly isBlind: boolean;
  /** Checks now; during a check, one more follows it. */
  look(): void;
  /** Stops checking. */
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

/** Returns null when the directory cannot be watched: the periodic check goes on. */
function tryWatch(directory: string, onChange: () => void): FSWatcher | null {
  try {
    return watch(directory, { persistent: false }, onChange);
  } catch {
    return null;
  }
}

/**
 * Resolves with the first result of `find` that is not undefined; checks at once and at each change in
 * `directory`, one check after the other. Undefined at the deadline. Rejects with the signal's reason when it
 * is aborted.
 */
export async function untilFound<T>(
  directory: string,
  deadlineMs: number,
  find: () => Promise<T | undefined>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  signal?.throwIfAborted();
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
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    watched.look();
    return await promise;
  } finally {
    watched.close();
    clearTimeout(deadline);
    signal?.removeEventListener("abort", onAbort);
  }
}
