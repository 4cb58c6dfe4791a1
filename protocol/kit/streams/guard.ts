/**
 * Keeps what an event's listener throws from ending the process: the error goes to the owner of that event's
 * visit, run or connection.
 */

/** Wraps a listener in one that never throws. */
export type Guard = <Values extends unknown[]>(
  listener: (...values: Values) => void,
) => (...values: Values) => void;

export function createGuard(onThrow: (error: unknown) => void): Guard {
  return (listener) =>
    (...values) => {
      try {
        listener(...values);
      } catch (error) {
        onThrow(error);
      }
    };
}
