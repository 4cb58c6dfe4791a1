/**
 * Thrown when a preparation cannot go on: it carries a sentence about what is missing and how to go on, and
 * the last lines of the command that failed.
 */
export class PreparationError extends Error {
  constructor(message, tail = []) {
    super(message);
    this.name = "PreparationError";
    this.tail = tail;
  }
}
