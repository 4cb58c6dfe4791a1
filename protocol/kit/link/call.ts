/** Makes one call to central with a deadline that ends with the connection, and interprets refusals. */

import { TRPCClientError } from "@trpc/client";
import type { Connection } from "./connection.ts";
import { untilAborted } from "./until-aborted.ts";

/** Thrown when central refuses this host, or this agent: trying again soon is of no use. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/** Thrown when central does not know this host, or its key. */
export class UnknownHostError extends RefusedError {
  override name = "UnknownHostError";
}

/** Thrown when central no longer has what the call was about. */
export class GoneError extends Error {
  override name = "GoneError";
}

/** Thrown when central could not read a message: it would not the next time either. */
export class MisunderstoodError extends Error {
  override name = "MisunderstoodError";
}

/**
 * Calls central. Rejects with one of the errors above where they apply, and otherwise with an Error whose
 * message is fit for a log.
 */
export async function callCentral<T>(
  connection: Connection,
  timeoutMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { ended } = connection;
  const stop = new AbortController();
  const { signal } = stop;
  const timer = setTimeout(
    () => stop.abort(new Error(`central did not answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const leave = () => stop.abort(ended.reason);
  ended.addEventListener("abort", leave, { once: true });
  try {
    ended.throwIfAborted();
    return await untilAborted(signal, call(signal));
  } catch (error) {
    throw translateRefusal(signal.aborted ? signal.reason : error);
  } finally {
    clearTimeout(timer);
    ended.removeEventListener("abort", leave);
  }
}

/** Returns the error above for what central answered, and otherwise the error itself. */
export function translateRefusal(error: unknown): Error {
  if (error instanceof TRPCClientError) {
    const code: unknown = error.data?.code;
    if (code === "UNAUTHORIZED") return new UnknownHostError(error.message, { cause: error });
    if (code === "CONFLICT" || code === "PRECONDITION_FAILED")
      return new RefusedError(error.message, { cause: error });
    if (code === "NOT_FOUND") return new GoneError(error.message, { cause: error });
    if (code === "BAD_REQUEST") return new MisunderstoodError(error.message, { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}
