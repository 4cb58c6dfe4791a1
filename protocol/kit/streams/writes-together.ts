/** Writes many small pieces to a connection at once. */

import type { Writable } from "node:stream";

/**
 * Returns a function to call before each write to the stream: what is written within one turn of the event loop
 * then leaves with one system call, and over TLS as one record. It still counts as unsent until it leaves.
 */
export function writesTogether(stream: Writable): () => void {
  let isHeld = false;
  return () => {
    if (isHeld) return;
    isHeld = true;
    stream.cork();
    setImmediate(() => {
      isHeld = false;
      stream.uncork();
    });
  };
}
