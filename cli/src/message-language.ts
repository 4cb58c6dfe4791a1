/** Chooses the language of the messages. */

import type { CommandContext } from "./command-context.ts";
import { UsageError } from "./command-failure.ts";
import { languages, type MessageLanguage } from "./messages.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the language, Portuguese unless somebody asks for English. An unknown language does not count here;
 * `checkLanguage` refuses it.
 */
export function chooseLanguage(option: string | undefined, environment: Environment): MessageLanguage {
  const { TIJOLO_LANG, LC_ALL, LC_MESSAGES, LANG } = environment;
  return languageOf(option) ?? languageOf(TIJOLO_LANG) ?? languageOf(LC_ALL || LC_MESSAGES || LANG) ?? "pt";
}

/**
 * Throws UsageError for an unknown language in `--lang`, or else in TIJOLO_LANG. A system's own locale may be
 * any.
 */
export function checkLanguage(
  words: readonly string[],
  { messages, environment }: Pick<CommandContext, "messages" | "environment">,
): void {
  const option = languageOption(words);
  const [name, given] =
    option === undefined ? ["TIJOLO_LANG", environment["TIJOLO_LANG"] || undefined] : ["--lang", option];
  if (given !== undefined && languageOf(given) === undefined)
    throw new UsageError(messages.usage.badChoice(name, languages.join(", ")));
}

/** Returns the value of `--lang`, which is needed before the command line is parsed. */
export function languageOption(words: readonly string[]): string | undefined {
  const index = words.findLastIndex((word) => word === "--lang" || word.startsWith("--lang="));
  const [word, next] = words.slice(index === -1 ? words.length : index);
  if (word === "--lang") return next?.startsWith("-") === true ? undefined : next;
  return word?.slice("--lang=".length);
}

/** Returns the language of a text, also of a locale such as `en_US.UTF-8`. */
function languageOf(text: string | undefined): MessageLanguage | undefined {
  return languages.find(
    (language) => text !== undefined && new RegExp(`^${language}(?![a-z])`, "i").test(text),
  );
}
