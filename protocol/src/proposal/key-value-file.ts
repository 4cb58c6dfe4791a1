/**
 * Parses files of lines `KEY=value`, as other hosts' configurations are; keys in capitals, first one wins.
 */
export function parseKeyValues(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, key, value = ""] = /^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    const plain = value.replace(/^(["'])(.*)\1$/, "$2");
    if (key !== undefined && plain !== "" && !values.has(key.toUpperCase()))
      values.set(key.toUpperCase(), plain);
  }
  return values;
}
