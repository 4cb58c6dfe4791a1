/**
 * Asks the person to confirm that it is them, for a change that wants a sign-in of the last minutes. The dialog is
 * the frame's (`parts/confirm-session`); here stands only who waits for it.
 */

import { useSyncExternalStore } from "react";

type Answer = (isConfirmed: boolean) => void;

let waiting: Answer[] = [];
const listeners = new Set<() => void>();

/** Resolves with true once the session is confirmed, with false when the person gave up. */
export function askConfirmation(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve];
    changed();
  });
}

/** Called by the dialog: all that wait get the same answer. */
export function answerConfirmation(isConfirmed: boolean): void {
  const answered = waiting;
  waiting = [];
  changed();
  for (const answer of answered) answer(isConfirmed);
}

/** True while something waits for a confirmation. */
export function useIsConfirming(): boolean {
  return useSyncExternalStore(subscribe, () => waiting.length > 0);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed(): void {
  for (const listener of listeners) listener();
}
