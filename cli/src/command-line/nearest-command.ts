/**
 * Finds the command that somebody probably meant, word by word: `cluster acount plan` is near `cluster
 * account plan`.
 */

import type { Command } from "../command.ts";
import { commandWords } from "./command-words.ts";
import { findNearestName } from "./nearest-name.ts";

export interface NearestCommand {
  /** Words that were taken for a command's name, up to the first that no command has. */
  given: string;
  /** Nearest command, or the first words of several; null when nothing is close. */
  nearest: string | null;
  /** Words that were right before that word: where to look for help. Empty at the first word. */
  family: string;
}

/** Finds the nearest command for `words` that name none; options and their values do not count. */
export function findNearestCommand(words: readonly string[], commands: readonly Command[]): NearestCommand {
  const plain = commandWords(words, commands);
  const path: string[] = [];
  let wrongAt: number | null = null;
  for (const [index, word] of plain.entries()) {
    const next = wordsAfter(path, commands);
    if (next.length === 0) break;
    const meant = next.includes(word) ? word : findNearestName(word, next);
    if (meant !== word) wrongAt ??= index;
    if (meant === null) break;
    path.push(meant);
  }
  const last = wrongAt ?? Math.max(0, plain.length - 1);
  const isCorrected = wrongAt !== null && path.length > wrongAt;
  return {
    given: plain.slice(0, last + 1).join(" "),
    nearest: isCorrected ? path.join(" ") : null,
    family: plain.slice(0, last).join(" "),
  };
}

/** Returns the words that follow `path` in the names of commands; none when `path` is a whole name. */
function wordsAfter(path: readonly string[], commands: readonly Command[]): string[] {
  const names = commands.map(({ name }) => name.split(" "));
  const going = names.filter((name) => path.every((word, index) => name[index] === word));
  return [...new Set(going.flatMap((name) => name[path.length] ?? []))];
}
