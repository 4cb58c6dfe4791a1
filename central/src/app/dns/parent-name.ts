/** Returns the name without its first label; an empty text for a single label. */
export function parentOf(name: string): string {
  return name.includes(".") ? name.slice(name.indexOf(".") + 1) : "";
}
