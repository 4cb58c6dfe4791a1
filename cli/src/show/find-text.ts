/** Finds a text by a name that comes from outside; undefined when there is none. */
export function findText(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
