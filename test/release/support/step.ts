/** Does one step of a drill, and prints its title with the seconds that it took. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  console.log(`${title}: ${secondsSince(startedMs)}`);
  return result;
}

/** `12.3 s` since a `performance.now()`. */
export function secondsSince(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
}
