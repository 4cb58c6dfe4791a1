/**
 * Delays responses that are ready in the same turn of the event loop to its end, so that they are written
 * together. Each write wakes the process that reads it; without this, reading a project costs 1.6 times the
 * processor time.
 */

let next: Promise<void> | null = null;

/** Returns the same promise to all callers in this turn. */
export function endOfTurn(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = null;
      resolve();
    });
  });
  return next;
}
