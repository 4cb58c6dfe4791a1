/** Finds which words of a command line may name a command: neither options nor their values. */

import { globalOptions, type Command, type CommandOption } from "../command.ts";

export function commandWords(words: readonly string[], commands: readonly Command[]): string[] {
  return commandWordIndexes(words, commands).map((index) => words[index] ?? "");
}

/**
 * Returns the indexes of these words. While no command is known, an option takes a value when it takes one in
 * any command.
 */
export function commandWordIndexes(words: readonly string[], commands: readonly Command[]): number[] {
  const takingValues = new Set(
    commands.flatMap(({ options }) => Object.entries({ ...options, ...globalOptions }).flatMap(spellings)),
  );
  return words.flatMap((word, index) =>
    word.startsWith("-") || takingValues.has(words[index - 1] ?? "") ? [] : [index],
  );
}

function spellings([name, { type, short }]: [string, CommandOption]): string[] {
  if (type !== "string") return [];
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}
