/**
 * A fixed window of requests: it begins with the first request in it, and the next one after its end begins
 * another.
 */

export interface RequestWindow {
  startedAt: number;
  used: number;
}

export interface WindowLimit {
  requests: number;
  lengthMs: number;
}

/**
 * Begins the window anew when its time is over. A saved window that begins later than now ends too: the clock
 * was set back before this process began.
 */
export function renew(window: RequestWindow, { lengthMs }: WindowLimit, now: number): void {
  if (now - window.startedAt < lengthMs && now >= window.startedAt) return;
  window.startedAt = now;
  window.used = 0;
}

export function remaining(window: RequestWindow, { requests }: WindowLimit): number {
  return Math.max(0, requests - window.used);
}

/** Returns at least one second. */
export function secondsToReset(window: RequestWindow, { lengthMs }: WindowLimit, now: number): number {
  return Math.max(1, Math.ceil((window.startedAt + lengthMs - now) / 1000));
}
