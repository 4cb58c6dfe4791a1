/** Parses the words `name=value` of a command line. */

import { UsageError } from "../command-failure.ts";
import type { Messages } from "../messages.ts";

/** Splits the word; the value may contain `=` and may be empty. Null where the word is a name alone. */
export function splitKeyValue(word: string): { name: string; value: string | null } {
  const at = word.indexOf("=");
  return at === -1 ? { name: word, value: null } : { name: word.slice(0, at), value: word.slice(at + 1) };
}

/** Splits the word. Throws UsageError for a word without `=`. */
export function getKeyValue(word: string, messages: Messages): { name: string; value: string } {
  const { name, value } = splitKeyValue(word);
  if (value === null || name === "") throw new UsageError(messages.errors.notKeyValue(word));
  return { name, value };
}
