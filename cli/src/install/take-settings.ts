/** Takes the settings of a program from the environment of its first installation. */

/** Values that a line of systemd's EnvironmentFile carries as they are, between quotes. */
const plainValue = /^[^"\\$`\n\r\0]*$/;

/**
 * Returns those of the environment's variables that `names` has, without the prefix `TIJOLO_`. Throws for a value
 * that a settings file cannot hold; the error has no value, as it may be a password.
 */
export function takeSettings(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const name of names.map((each) => `TIJOLO_${each}`)) {
    const value = environment[name];
    if (value === undefined) continue;
    if (!plainValue.test(value))
      throw new Error(`${name} has a character that a settings file cannot hold: " \\ $ \` or a line break.`);
    taken[name] = value;
  }
  return taken;
}

/** Returns a line of a settings file for each setting. */
export function settingLines(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join("");
}
