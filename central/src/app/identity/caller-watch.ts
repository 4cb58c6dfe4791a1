/** What a key or a session holds open ends with it: at a wake, and by a look now and then. */

import { AppError, type ErrorCode } from "@tijolo/protocol";
import type { AppContext } from "../context.ts";

export interface CallerWatch extends Disposable {
  /** Aborted, with the error for the caller, once it may not call any more. */
  signal: AbortSignal;
}

export interface WatchedCaller {
  accountId: string;
  everyMs: number;
  isAlive: () => Promise<boolean>;
  /** For a caller that may not go on. */
  refusal: ErrorCode;
}

export function watchCaller(
  app: AppContext,
  { accountId, everyMs, isAlive, refusal }: WatchedCaller,
): CallerWatch {
  const controller = new AbortController();
  const look = async () => {
    try {
      if (!(await isAlive())) controller.abort(new AppError(refusal));
    } catch (error) {
      app.logger.error({ err: error, accountId }, "could not look whether a caller may still call");
    }
  };
  const unsubscribe = app.wakes.on(`account:${accountId}`, () => void look());
  const timer = setInterval(() => void look(), everyMs).unref();
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
