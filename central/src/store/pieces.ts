/** Cuts long lists, so that a statement stays short and others get their turn. */

/** Returns the items in pieces of `size`. */
export function* piecesOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
