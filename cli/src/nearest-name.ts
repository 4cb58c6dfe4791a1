/** The name that somebody probably meant. */

/** Null when none is close: more than a third of the letters differ. */
export function findNearestName(name: string, names: readonly string[]): string | null {
  const [best] = names.map((candidate) => ({ candidate, distance: editDistance(name, candidate) })).sort((a, b) => a.distance - b.distance);
  if (best === undefined) return null;
  return best.distance <= Math.max(1, Math.floor(Math.max(name.length, best.candidate.length) / 3)) ? best.candidate : null;
}

/** Letters to insert, remove or replace to come from `a` to `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
