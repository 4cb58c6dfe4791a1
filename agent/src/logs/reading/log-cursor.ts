/**
 * Encodes and decodes cursors: how far each stream of a project's log has been delivered, as a short opaque
 * string.
 */

import { logSources, oldestSources } from "./log-source.ts";

export interface LogCursor {
  /** Names the log itself. The cursor of another log (another host's, say) has seen nothing of this one. */
  logId: string;
  /** Number of the last line delivered (or skipped for good) of each of {@link logSources}; 0 for none. */
  delivered: number[];
}

/** Thrown for a text that no log of this agent issued as a cursor. */
export class InvalidCursorError extends Error {
  override name = "InvalidCursorError";
  readonly code = "invalid_cursor";
}

const pattern = new RegExp(`^[0-9a-z]{1,16}(\\.[0-9a-z]{1,10}){${oldestSources},${logSources.length}}$`);

export function encodeCursor(cursor: LogCursor): string {
  return [cursor.logId, ...cursor.delivered.map((number) => number.toString(36))].join(".");
}

/** Decodes a cursor. Throws {@link InvalidCursorError}. */
export function decodeCursor(text: string): LogCursor {
  if (!pattern.test(text)) throw new InvalidCursorError("the cursor is not one of this service");
  const [logId = "", ...numbers] = text.split(".");
  return { logId, delivered: logSources.map(({ index }) => Number.parseInt(numbers[index] ?? "0", 36)) };
}

/** Encodes the cursors of many consecutive lines, where only one number changes at a time. */
export class CursorEncoder {
  readonly delivered: number[];
  #logId: string;
  #source = -1;
  #before = "";
  #after = "";

  constructor(cursor: LogCursor) {
    this.#logId = cursor.logId;
    this.delivered = [...cursor.delivered];
  }

  /** Counts line `number` of a source as delivered and returns the cursor from there. */
  advance(source: number, number: number): string {
    this.delivered[source] = number;
    if (source !== this.#source) {
      const parts = this.delivered.map((delivered) => delivered.toString(36));
      this.#before = `${[this.#logId, ...parts.slice(0, source)].join(".")}.`;
      this.#after = parts
        .slice(source + 1)
        .map((part) => `.${part}`)
        .join("");
      this.#source = source;
    }
    return this.#before + number.toString(36) + this.#after;
  }
}
