/** Returns where the machine itself reaches what listens at this address: `0.0.0.0` is all of its addresses. */
export function dialable(address: string): string {
  return address.replace(/^(?:0\.0\.0\.0|\[::\]):/, "127.0.0.1:");
}
