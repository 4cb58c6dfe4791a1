/** Explains a command's failure in words: what happened, and what to do about it. */

import { ApiError, ConnectionError } from "@tijolo/protocol";
import { CommandFailure, UsageError } from "../command-failure.ts";
import { ConfigurationError } from "../configuration.ts";
import { formatExtra } from "./format-extra.ts";
import type { Messages } from "../messages.ts";
import { findText } from "./find-text.ts";

export interface Explanation {
  /** Code of the error table, or the command's own; for programs. */
  code: string;
  message: string;
  /** Text that a person reads in place of `message`. */
  spoken?: string;
  extra?: Readonly<Record<string, unknown>>;
}

export function explainFailure(cause: unknown, messages: Messages): Explanation {
  if (cause instanceof UsageError) return { code: "usage", message: cause.message };
  if (cause instanceof CommandFailure) return { code: cause.code, message: cause.message };
  if (cause instanceof ConfigurationError)
    return { code: "bad_configuration", message: messages.errors.badConfiguration(cause.message) };
  if (cause instanceof ApiError) return explainApiError(cause, messages);
  if (cause instanceof ConnectionError) return explainNoAnswer(cause, messages);
  if (isSystemError(cause))
    return { code: "file", message: messages.errors.fileFailed(cause.path ?? "", cause.message) };
  return {
    code: "unexpected",
    message: `${cause instanceof Error ? cause.message : String(cause)}\n${messages.errors.unexpected}`,
  };
}

function explainNoAnswer({ message }: ConnectionError, { errors }: Messages): Explanation {
  return {
    code: "no_answer",
    message: errors.noAnswer(message.replace(/^no answer from (.*?)(\/api)?$/, "$1")),
  };
}

function explainApiError(
  { code, status, message, extra, retryAfterSeconds }: ApiError,
  { errors, hints }: Messages,
): Explanation {
  const fields = Object.entries(extra).map(([name, value]) =>
    errors.fieldIs(findText(errors.fields, name) ?? name, formatExtra(value)),
  );
  const advice = [
    retryAfterSeconds === null ? undefined : errors.tryAgainIn(retryAfterSeconds),
    findText(hints, code),
  ];
  const more = [...fields.map((field) => `  ${field}`), ...advice.filter((line) => line !== undefined)];
  const said = code === "unexpected_answer" ? errors.unexpectedAnswer(message) : message;
  const wait = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  const [forPrograms = "", spoken = ""] = [said, `${said} (${code})`].map((first) =>
    [first, ...more].join("\n"),
  );
  return { code, message: forPrograms, spoken, extra: { status, ...wait, ...extra } };
}

/** True for the error of a file that cannot be read or written. */
function isSystemError(cause: unknown): cause is NodeJS.ErrnoException {
  return cause instanceof Error && "syscall" in cause && "code" in cause;
}
