/**
 * Waits for an action of the same project that is in progress: a stop may take ten seconds, a restart that
 * and its start.
 */

import { setTimeout as delay } from "node:timers/promises";
import type { Messages } from "../messages.ts";
import type { Output } from "../show/output.ts";

/** Pauses, half a minute together; a person who wants to wait longer runs the command again. */
const pausesMs = [500, 1_000, 1_500, 2_000, 3_000, 3_000, 3_000, 4_000, 4_000, 4_000, 4_000];

export interface Patience {
  output: Output;
  messages: Messages;
  signal: AbortSignal;
}

/** Retries, and tells the person, while the project is busy; so may be the last answer. */
export async function whileBusy<Answer>(
  { output, messages, signal }: Patience,
  ask: () => Promise<Answer>,
  isBusy: (answer: Answer) => boolean | Promise<boolean>,
): Promise<Answer> {
  let answer = await ask();
  for (const [index, pauseMs] of pausesMs.entries()) {
    if (!(await isBusy(answer))) break;
    if (index === 0) output.note(messages.waitingForAction);
    await delay(pauseMs, undefined, { signal });
    answer = await ask();
  }
  return answer;
}
