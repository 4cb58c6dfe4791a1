/** What a command failed with, in words: what happened, and what to do about it. */

import { ApiError, ConnectionError, errorTable, isErrorCode } from "@tijolo/protocol";
import { TRPCClientError } from "@trpc/client";
import { z } from "zod";
import { CommandFailure, UsageError } from "../command-failure.ts";
import { ConfigurationError } from "../configuration.ts";
import { formatExtra } from "./format-extra.ts";
import type { Messages } from "../messages.ts";

export interface Explanation {
  /** Of the error table, or the command's own; for programs. */
  code: string;
  message: string;
  /** What a person reads in place of `message`. */
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
  if (cause instanceof TRPCClientError) return explainAdminError(cause, messages);
  if (isSystemError(cause))
    return { code: "file", message: messages.errors.fileFailed(cause.path ?? "", cause.message) };
  return {
    code: "unexpected",
    message: `${cause instanceof Error ? cause.message : String(cause)}\n${messages.errors.unexpected}`,
  };
}

function explainNoAnswer({ message }: ConnectionError, { errors }: Messages): Explanation {
  return { code: "no_answer", message: errors.noAnswer(message.replace(/^no answer from /, "")) };
}

function explainApiError(
  { code, status, message, extra, retryAfterSeconds }: ApiError,
  { errors, hints }: Messages,
): Explanation {
  const fields = Object.entries(extra).map(([name, value]) =>
    errors.fieldIs(errors.fields[name] ?? name, formatExtra(value)),
  );
  const advice = [retryAfterSeconds === null ? undefined : errors.tryAgainIn(retryAfterSeconds), hints[code]];
  const more = [...fields.map((field) => `  ${field}`), ...advice.filter((line) => line !== undefined)];
  const wait = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  const [forPrograms = "", spoken = ""] = [message, `${message} (${code})`].map((first) =>
    [first, ...more].join("\n"),
  );
  return { code, message: forPrograms, spoken, extra: { status, ...wait, ...extra } };
}

function explainAdminError(cause: TRPCClientError<never>, messages: Messages): Explanation {
  const refusal = adminRefusal.safeParse(cause.data);
  if (refusal.success) return explainApiError(refusedByCentral(refusal.data, messages), messages);
  const data: unknown = cause.data;
  if (typeof data === "object" && data !== null && "code" in data && typeof data.code === "string") {
    return {
      code: data.code.toLowerCase(),
      message: data.code === "UNAUTHORIZED" ? messages.errors.operatorRefused : cause.message,
    };
  }
  if (cause.cause instanceof ApiError) return explainApiError(cause.cause, messages);
  if (cause.cause instanceof ConnectionError) return explainNoAnswer(cause.cause, messages);
  return { code: "unexpected_answer", message: messages.errors.unexpectedAnswer(cause.message) };
}

/** What the admin API adds to a refusal that has a code of the error table. */
const adminRefusal = z.object({
  httpStatus: z.number(),
  refusal: z.looseObject({
    code: z.string().refine(isErrorCode),
    detail: z.object({ pt: z.string(), en: z.string() }).nullable(),
  }),
});

function refusedByCentral(
  { httpStatus, refusal: { code, detail, ...extra } }: z.infer<typeof adminRefusal>,
  { locale }: Messages,
): ApiError {
  const text = locale === "en" ? errorTable[code].messageEn : errorTable[code].message;
  const message = detail === null ? text : `${text} ${locale === "en" ? detail.en : detail.pt}`;
  return new ApiError({ code, status: httpStatus, message, extra, retryAfterSeconds: null });
}

/** A file that cannot be read or written. */
function isSystemError(cause: unknown): cause is NodeJS.ErrnoException {
  return cause instanceof Error && "syscall" in cause && "code" in cause;
}
