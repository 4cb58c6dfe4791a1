/** Sends an upload a second time where the first one may have been lost on the way, or came too early. */

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, ConnectionError } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { longestWaitSeconds } from "../client/patient-fetch.ts";

const afterCutSeconds = 1;

/**
 * Sends both times with the same key, by which the server knows that they are one: a lost answer never makes
 * a second project.
 */
export async function sendOnceMore<Answer>(
  context: CommandContext,
  send: (idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  const { output, messages, signal } = context;
  const key = randomUUID();
  try {
    return await send(key);
  } catch (cause) {
    const waitSeconds = waitBefore(cause);
    if (waitSeconds === null) throw cause;
    output.note(cause instanceof ConnectionError ? messages.sendingAgain : messages.waiting(waitSeconds));
    await delay(waitSeconds * 1_000, undefined, { signal });
    return await send(key);
  }
}

/** Returns the seconds to wait; null when a second attempt would end as the first. */
function waitBefore(cause: unknown): number | null {
  if (cause instanceof ConnectionError) return afterCutSeconds;
  if (!(cause instanceof ApiError) || cause.status !== 429 || cause.retryAfterSeconds === null) return null;
  return cause.retryAfterSeconds <= longestWaitSeconds ? cause.retryAfterSeconds : null;
}
