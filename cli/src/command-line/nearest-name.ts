/** Finds the name that somebody probably meant. */

/**
 * Returns the nearest name; null when none is close: more than a third of the letters differ. Two swapped
 * letters count as one.
 */
export function findNearestName(name: string, names: readonly string[]): string | null {
  const [best] = names
    .map((candidate) => ({
      candidate,
      bound: Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3)),
    }))
    .filter(({ candidate, bound }) => Math.abs(candidate.length - name.length) <= bound)
    .map(({ candidate, bound }) => ({ candidate, bound, distance: editDistance(name, candidate) }))
    .filter(({ bound, distance }) => distance <= bound)
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate ?? null;
}

/**
 * Returns how many letters to insert, remove, replace or swap with their neighbour to get from `a` to `b`.
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? 0;
}
