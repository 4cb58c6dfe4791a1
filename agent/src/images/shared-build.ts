/**
 * Lets several callers wait for one piece of work, which is aborted only when none of them wants it any more.
 */

interface Build<Result> {
  promise: Promise<Result>;
  controller: AbortController;
  waiters: Set<Waiter>;
}

export interface Waiter {
  onProgress?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export type Work<Result> = (options: {
  signal: AbortSignal;
  progress: (line: string) => void;
}) => Promise<Result>;

/** Runs one build at a time per key; later callers of a running key join it and get its progress. */
export class SharedBuilds<Result> {
  #builds = new Map<string, Build<Result>>();

  /**
   * Rejects with the signal's reason as soon as the waiter's own signal fires, or with what the work threw.
   */
  async run(key: string, waiter: Waiter, work: Work<Result>): Promise<Result> {
    waiter.signal?.throwIfAborted();
    const running = this.#builds.get(key);
    const build =
      running === undefined || running.controller.signal.aborted ? this.#begin(key, work, running) : running;
    build.waiters.add(waiter);
    const leave = () => {
      build.waiters.delete(waiter);
      if (build.waiters.size === 0) build.controller.abort(waiter.signal?.reason);
    };
    waiter.signal?.addEventListener("abort", leave, { once: true });
    try {
      return await untilAborted(build, waiter);
    } finally {
      waiter.signal?.removeEventListener("abort", leave);
      build.waiters.delete(waiter);
    }
  }

  /** Aborts all that runs and waits until it has ended. */
  async abortAll(reason: Error): Promise<void> {
    const builds = [...this.#builds.values()];
    for (const build of builds) build.controller.abort(reason);
    await Promise.allSettled(builds.map((build) => build.promise));
  }

  #begin(key: string, work: Work<Result>, previous: Build<Result> | undefined): Build<Result> {
    const controller = new AbortController();
    const waiters = new Set<Waiter>();
    const progress = (line: string) => {
      for (const waiter of waiters) waiter.onProgress?.(line);
    };
    const promise = (async () => {
      await previous?.promise.catch(() => {});
      controller.signal.throwIfAborted();
      return work({ signal: controller.signal, progress });
    })();
    const build: Build<Result> = { promise, controller, waiters };
    this.#builds.set(key, build);
    promise
      .catch(() => {}) // told to the waiters
      .finally(() => {
        if (this.#builds.get(key) === build) this.#builds.delete(key);
      });
    return build;
  }
}

/**
 * Waits for the build or the waiter's abort. The waiter that leaves last waits for the end of the work, so
 * that nothing is left over when its promise settles.
 */
async function untilAborted<Result>(build: Build<Result>, waiter: Waiter): Promise<Result> {
  const { signal } = waiter;
  if (signal === undefined) return build.promise;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => {
    if (!build.controller.signal.aborted) aborted.reject(signal.reason);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([build.promise, aborted.promise]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
