/** Defines how a command ends that cannot do what it was asked. */

/** Thrown for a failure that a person can act on: what happened, and what to do. Exit code 1. */
export class CommandFailure extends Error {
  override name = "CommandFailure";
  /** Code of the failure, for programs. */
  readonly code: string;

  constructor(message: string, { code = "failed", ...options }: ErrorOptions & { code?: string } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Thrown when the command line is wrong. Exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

export const exitCodes = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const;
