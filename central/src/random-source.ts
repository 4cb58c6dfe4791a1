/**
 * Provides central's randomness: strong, and for ids drawn from the system many at a time, since each request
 * has one.
 */

import { randomBytes } from "node:crypto";
import type { Random } from "./app/clock.ts";

const drawnBytes = 4_096;
/** Longest request that is served from the buffer; a longer one, such as a key, is drawn by itself. */
const maxShortBytes = 16;

export function createRandomSource(): Random {
  let drawn: Uint8Array = new Uint8Array();
  let used = 0;
  return (bytes) => {
    if (bytes > maxShortBytes) return randomBytes(bytes);
    if (used + bytes > drawn.length) {
      drawn = randomBytes(drawnBytes);
      used = 0;
    }
    // Each byte is given out once: the next draw is another buffer.
    return drawn.subarray(used, (used += bytes));
  };
}
