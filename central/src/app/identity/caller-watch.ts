/**
 * Ends what a key, a session or an operator's token holds open when it no longer works: at a wake, and by a
 * periodic check.
 */

import { AppError, type ErrorCode } from "@tijolo/protocol";
import type { IdentityContext } from "./identity-context.ts";
import type { WakeTopic } from "../../store/wakes.ts";

export interface CallerWatch extends Disposable {
  /** Aborted, with the error for the caller, once it may not call any more. */
  signal: AbortSignal;
}

export interface WatchedCaller {
  /** Woken when the caller may have lost its right. */
  topic: WakeTopic;
  everyMs: number;
  isAlive: () => Promise<boolean>;
  /** Error for a caller that may not go on. */
  refusal: ErrorCode;
}

export function watchCaller(
  app: IdentityContext,
  { topic, everyMs, isAlive, refusal }: WatchedCaller,
): CallerWatch {
  const controller = new AbortController();
  const look = async () => {
    try {
      if (!(await isAlive())) controller.abort(new AppError(refusal));
    } catch (error) {
      app.logger.error({ err: error, topic }, "could not look whether a caller may still call");
    }
  };
  const unsubscribe = app.wakes.on(topic, () => void look());
  const timer = setInterval(() => void look(), everyMs).unref();
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
