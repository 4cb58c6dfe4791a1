/** Cuts the lines of a log answer into pieces that fit a frame, whatever characters they have to be escaped to. */

import type { HostLogItem } from "@tijolo/protocol";

const maxItems = 2_000;
/** Of text, before escaping; a character takes at most six bytes in JSON. */
const maxCharacters = 512 * 1024;

export function* splitBatch(items: readonly HostLogItem[]): Generator<HostLogItem[]> {
  let piece: HostLogItem[] = [];
  let characters = 0;
  for (const item of items) {
    const size = item.kind === "line" ? item.line.text.length : 0;
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
