/**
 * Answers that are ready in the same turn of the event loop are written together at its end. Each write wakes
 * its reader, which costs more than all else that an answer does; while it is awake, the next one costs a
 * third.
 */

let next: Promise<void> | null = null;

/** The same promise for all who ask in this turn. */
export function endOfTurn(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = null;
      resolve();
    });
  });
  return next;
}
