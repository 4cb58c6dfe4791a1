/** Shows the extra fields of an error as a person reads them. */

/** Formats lists with commas; groups of lists, such as versions by language, one after the other. */
export function formatExtra(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const groups = Object.entries(value).map(([name, items]) => `${name} ${formatExtra(items)}`.trim());
  return groups.join("; ");
}
