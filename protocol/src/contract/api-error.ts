/**
 * Defines the errors of a call of the HTTP interface on the caller's side. It imports no schema, as browsers
 * load it.
 */

import type { ErrorCode } from "./errors.ts";

/** Errors with the status 409 that may go away by themselves (`mayRetry` in `errors.ts`). */
const passingConflicts = ["no_capacity", "project_busy", "beta_ending"] satisfies ErrorCode[];

/** Thrown for an error response. `code` is the contract; `message` is for a person, in Portuguese. */
export class ApiError extends Error {
  override name = "ApiError";
  /**
   * A code of the error table, or `unexpected_answer` for an answer without the error body (a proxy in
   * between, another server).
   */
  readonly code: string;
  readonly status: number;
  /** The further fields of the body, such as `field` or `limitMb`. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Seconds from the header `Retry-After`. */
  readonly retryAfterSeconds: number | null;

  constructor(init: {
    code: string;
    status: number;
    message: string;
    extra: Record<string, unknown>;
    retryAfterSeconds: number | null;
  }) {
    super(init.message);
    this.code = init.code;
    this.status = init.status;
    this.extra = init.extra;
    this.retryAfterSeconds = init.retryAfterSeconds;
  }

  /** True when the same request may succeed later without a change. */
  get mayRetry(): boolean {
    const isPassingConflict = (passingConflicts as readonly string[]).includes(this.code);
    return this.status === 429 || this.status >= 500 || isPassingConflict;
  }
}

/** Thrown when no answer came: the server is not there, the connection broke, or it fell silent. */
export class ConnectionError extends Error {
  override name = "ConnectionError";
}

/** Reads an answer that is not 2xx. */
export async function readApiError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const common = { status: response.status, retryAfterSeconds: Number.isFinite(seconds) ? seconds : null };
  const body = readErrorBody(text);
  if (body === undefined) {
    const message = `HTTP ${response.status} ${response.statusText}: ${text.slice(0, 200)}`;
    return new ApiError({ ...common, code: "unexpected_answer", message, extra: {} });
  }
  const { status: _, code, message, ...extra } = body;
  return new ApiError({ ...common, code, message, extra });
}

/** Reads the body of an error answer (`errorBody` in `errors.ts`); undefined when it has another shape. */
function readErrorBody(text: string): { status: unknown; code: string; message: string } | undefined {
  const body = parseJson(text);
  if (typeof body !== "object" || body === null) return undefined;
  if (!("status" in body && "code" in body && "message" in body)) return undefined;
  const { status, code, message } = body;
  if (status !== "error" || typeof code !== "string" || typeof message !== "string") return undefined;
  return { ...body, status, code, message };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
