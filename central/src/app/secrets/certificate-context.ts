/** Returns the context that a certificate's key is sealed with: it opens for no other certificate. */
export function certificateContext(id: string): string {
  return `certificate:${id}`;
}
