/** One word of a command, as a container's shell reads it. */

/** Matches a word without a character that a shell treats specially. */
const plain = /^(?!#)(?:[\w./@:+,=%!^#-]|[^\s\p{ASCII}])+$/u;
const quoted = /^'((?:[^']|'\\'')*)'$/;

/** Returns the word unchanged where that is safe, for people to read; in single quotes otherwise. */
export function shellWord(word: string): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns the word that a text is, plain or in single quotes; undefined where it is more than that, or
 * written in another way.
 */
export function readShellWord(text: string): string | undefined {
  return plain.test(text) ? text : quoted.exec(text)?.[1]?.replaceAll(`'\\''`, "'");
}
