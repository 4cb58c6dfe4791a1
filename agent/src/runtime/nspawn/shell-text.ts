/** Quotes text so that a POSIX shell reads back exactly the given values. */

/** Puts the value in single quotes; the only character that needs care is the quote itself. */
export function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/**
 * Exports the variables, then sets `$1` to the command. Throws for a name that no shell can export or a NUL
 * byte.
 */
export function environmentScript(environment: Record<string, string>, command: string): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw new Error(`not a name of an environment variable: ${JSON.stringify(name)}`);
    if (shellOwned.has(name)) continue;
    lines.push(`export ${name}=${quoted(withoutNul(value))}\n`);
  }
  return `${lines.join("")}set -- ${quoted(withoutNul(command))}\n`;
}

/** Names that a shell sets itself, whatever it is given; assigning them can be an error that ends it. */
const shellOwned = new Set(["OPTIND", "PPID", "LINENO", "PWD", "OLDPWD"]);

function withoutNul(value: string): string {
  if (value.includes("\0")) throw new Error("a value contains a NUL byte");
  return value;
}
