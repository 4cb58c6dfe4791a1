/**
 * Defines how long the texts are that people type, in characters. The schemas and the panel's forms use the
 * same numbers; browsers load this file, so it imports no schema.
 */

export interface Lengths {
  least: number;
  most: number;
}

export const lengths = {
  projectName: { least: 1, most: 40 },
  projectDescription: { least: 0, most: 200 },
  subdomain: { least: 3, most: 32 },
  command: { least: 0, most: 1_000 },
  path: { least: 0, most: 255 },
  keyName: { least: 1, most: 40 },
  personName: { least: 1, most: 80 },
  email: { least: 3, most: 254 },
  /** A new password; one that is typed at a sign-in needs one character. */
  passphrase: { least: 10, most: 200 },
  variableName: { least: 1, most: 256 },
  logSearch: { least: 1, most: 200 },
} as const satisfies Record<string, Lengths>;
