/** Defines a failure that has a code of the error table, and how it becomes a response's body. */

import type { Words } from "../values/words.ts";
import { errorTable, type ErrorCode, type ErrorDefinition, type ErrorExtra } from "./errors.ts";

export interface AppErrorOptions {
  extra?: ErrorExtra;
  /** One more sentence that says what exactly is wrong; appended to the table's text. */
  detail?: Words;
  /** Overrides the table's status where the spec gives a code two (`invalid_zip`: 413 or 422). */
  status?: ErrorDefinition["status"];
  /** Seconds until another try makes sense, for 429. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** An expected failure, thrown anywhere below an edge and translated once, there. */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly status: ErrorDefinition["status"];
  readonly extra: ErrorExtra;
  readonly detail: Words | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail === undefined ? code : `${code}: ${options.detail.en}`, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? errorTable[code].status;
    this.extra = options.extra ?? {};
    this.detail = options.detail ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }

  /** Returns the response's body. */
  toBody(language: "pt" | "en" = "pt"): Record<string, unknown> {
    const definition = errorTable[this.code];
    const text = language === "en" ? definition.messageEn : definition.message;
    const detail = this.detail ?? this.#fieldDetail();
    return {
      status: "error",
      code: this.code,
      message: detail === undefined ? text : `${text} ${detail[language]}`,
      ...this.extra,
    };
  }

  /** Names a refused field in the text too, where nothing more is said of it. */
  #fieldDetail(): Words | undefined {
    const { field } = this.extra;
    return this.code === "invalid_request" && typeof field === "string"
      ? { pt: `Campo: ${field}.`, en: `Field: ${field}.` }
      : undefined;
  }
}
