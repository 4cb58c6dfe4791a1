/** The time for sentences such as "há 3 min": one clock for the page, which draws and reads nothing of the server. */

import { useSyncExternalStore } from "react";

const everyMs = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** Milliseconds since 1970; a component that uses it is drawn again every ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) timer = setInterval(tick, everyMs);
  now = Date.now();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
