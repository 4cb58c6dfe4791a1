/** Ends a program: in order on the first signal, at once on a later one or when that takes too long. */

/** Default deadline, less than `npm start` waits before it kills. */
const defaultDeadlineMs = 12_000;
/**
 * Milliseconds after which a second signal counts: a terminal's Ctrl-C may come twice at once, from the
 * terminal and from a program that forwards it; a person's second one comes later.
 */
const secondSignalAfterMs = 1_000;

/** The part of a logger that an ending writes to. */
export interface EndingLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface EndingOptions {
  /** Name of the program in a sentence. */
  name: string;
  logger: EndingLogger;
  /** Logged at the first signal. */
  message: string;
  deadlineMs?: number;
}

/**
 * Makes SIGINT and SIGTERM end the process from now on, with status 0 only when the program has closed all of
 * its parts.
 */
export function endOnSignals(
  program: AsyncDisposable,
  { name, logger, message, deadlineMs = defaultDeadlineMs }: EndingOptions,
): void {
  let firstAtMs: number | null = null;

  async function end(signal: string): Promise<never> {
    logger.info({ signal }, message);
    setTimeout(() => {
      logger.error({ deadlineMs }, `${name} has not stopped in time and ends as it is`);
      process.exit(1);
    }, deadlineMs);
    try {
      await program[Symbol.asyncDispose]();
    } catch (error) {
      logger.error({ err: error }, `${name} did not stop cleanly`);
      process.exit(1);
    }
    process.exit(0);
  }

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      const nowMs = performance.now();
      if (firstAtMs === null) {
        firstAtMs = nowMs;
        void end(signal);
      } else if (nowMs - firstAtMs > secondSignalAfterMs) {
        logger.error({ signal }, `${name} is told to stop once more and ends as it is`);
        process.exit(1);
      }
    });
  }
}
