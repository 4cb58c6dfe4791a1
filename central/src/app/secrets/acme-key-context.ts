/** Returns the context that the key of central's ACME accounts is sealed with. */
export function acmeKeyContext(id: string): string {
  return `acme-key:${id}`;
}
