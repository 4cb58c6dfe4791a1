/** One word of a command that a container's shell reads. */

/** As it is where that is safe, for people to read; in single quotes otherwise. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
