/** Finds the field that a refusal is about. */

import { ApiError, type ErrorCode } from "@tijolo/protocol/client";

/** Fields of refusals that name none, since they are about one thing only. */
const fieldsOfCode: Partial<Record<ErrorCode, readonly string[]>> = {
  wrong_password: ["password", "currentPassword"],
  invalid_code: ["code", "recoveryCode"],
  email_taken: ["email"],
};

/** True when the server refused the value of `field`. */
export function isErrorOf(error: Error | null, field: string): boolean {
  if (!(error instanceof ApiError)) return false;
  const fields = fieldsOfCode[error.code as ErrorCode] ?? [error.extra["field"]];
  return fields.includes(field);
}

/** What the server said of one field, as the `error` of its `Field`. */
export function fieldError(error: Error | null, field: string): { error: string } | object {
  return error !== null && isErrorOf(error, field) ? { error: wordsAtField(error.message) } : {};
}

/** Keeps the reason of a refused field, as "(1 to 80 characters)": at the field itself the rest says nothing new. */
export function wordsAtField(message: string): string {
  const reason = /: [\w.]+ \(([^]+)\)\.$/.exec(message)?.[1];
  return reason === undefined ? message : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
