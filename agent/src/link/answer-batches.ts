/**
 * Cuts the items of an answer into pieces that fit a frame, whatever characters they have to be escaped to.
 */

import type { HostItem } from "@tijolo/protocol";

const maxItems = 2_000;
/** Most characters of text in a batch, before escaping; a character takes at most six bytes in JSON. */
const maxCharacters = 512 * 1024;
/** Upper bound in characters for an item without a line's text, its names and numbers included. */
const otherCharacters = 4_000;

export function* splitBatch(items: readonly HostItem[]): Generator<HostItem[]> {
  let piece: HostItem[] = [];
  let characters = 0;
  for (const item of items) {
    const size = item.kind === "line" ? item.line.text.length : otherCharacters;
    if (piece.length > 0 && (piece.length >= maxItems || characters + size > maxCharacters)) {
      yield piece;
      piece = [];
      characters = 0;
    }
    piece.push(item);
    characters += size;
  }
  if (piece.length > 0) yield piece;
}
