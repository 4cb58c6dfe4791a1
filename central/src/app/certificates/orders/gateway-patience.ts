/**
 * Waits for a gateway that is about to serve, as after an installation or a reboot, before the authority is sent
 * to it.
 */

import { poll } from "@tijolo/protocol/kit";

/** Longest time of one question to an address. */
export const askMs = 5_000;
const askAgainMs = 500;
/** Longest time that an address refuses connections before the authority is sent there all the same. */
const refusedMs = 60_000;

/**
 * Resolves with the first answer; with undefined when there is none within a minute. `ask` returns undefined
 * for what may yet change, as a refused connection.
 */
export function untilAnswered<Answer>(
  ask: () => Promise<Answer | undefined>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  return poll(ask, { timeoutMs: refusedMs, everyMs: askAgainMs, signal });
}
