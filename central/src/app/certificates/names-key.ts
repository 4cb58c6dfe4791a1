/** Returns a key by which certificates and orders of the same names are found. Names are in order. */
export function namesKey(names: readonly string[]): string {
  return JSON.stringify(names);
}
