/** Parses the words of a command line into a command with its options. */

import { parseArgs } from "node:util";
import {
  globalOptions,
  type Command,
  type CommandInput,
  type CommandOptions,
  type OptionValues,
} from "../command.ts";
import { commandWords } from "./command-words.ts";
import { UsageError } from "../command-failure.ts";
import { explainOption } from "./explain-option.ts";
import type { Messages } from "../messages.ts";
import { findNearestCommand } from "./nearest-command.ts";

export interface ParsedCommand {
  command: Command;
  input: CommandInput<CommandOptions>;
}

/** Returns the command that the first words name, with the words that are left; null when they name none. */
export function findCommand(
  words: readonly string[],
  commands: readonly Command[],
): { command: Command; rest: string[] } | null {
  for (let length = 3; length > 0; length--) {
    const name = words.slice(0, length).join(" ");
    const command = commands.find((candidate) => candidate.name === name);
    if (command !== undefined) return { command, rest: words.slice(length) };
  }
  return null;
}

/**
 * Returns the commands whose name goes on where the words end, as `env list` after `env`; none when another
 * word follows.
 */
export function findFamily(words: readonly string[], commands: readonly Command[]): readonly Command[] {
  const plain = commandWords(words, commands);
  if (plain.length === 0) return [];
  return commands.filter(({ name }) => name.startsWith(`${plain.join(" ")} `));
}

/**
 * Parses a command. Throws UsageError with the nearest command when `words` begin with none, or go on like a
 * longer name than that of the command found: `notices chanels`.
 */
export function parseCommand(
  words: readonly string[],
  commands: readonly Command[],
  messages: Messages,
): ParsedCommand {
  const found = findCommand(words, commands);
  if (found === null) throw unknownCommand(words, commands, messages);
  const { command, rest } = found;
  const isMisspelt = findNearestCommand(words, commands).nearest !== null;
  if (isMisspelt && command.argument === undefined) throw unknownCommand(words, commands, messages);
  const { values, positionals } = parseOptions(command, rest, messages);
  const options = values as OptionValues<CommandOptions>; // parseArgs kept to the types of the options
  const extra = positionals[wordLimit(command)];
  if (extra !== undefined) {
    if (isMisspelt) throw unknownCommand(words, commands, messages);
    throw new UsageError(
      `${messages.usage.tooMany(extra)}\n${messages.usage.seeHelp(`tijolo ${command.name}`)}`,
    );
  }
  return { command, input: { argument: positionals[0], words: positionals, options } };
}

function wordLimit({ argument, takesMany, takesEachWord, takesProject }: Command): number {
  if (argument === undefined) return 0;
  if (takesMany === true) return Number.POSITIVE_INFINITY;
  const words = takesEachWord === true ? argument.split(" ").length : 1;
  return words + (takesProject === true ? 1 : 0);
}

function parseOptions(command: Command, words: string[], messages: Messages) {
  const options = Object.entries({ ...command.options, ...globalOptions }).map(
    ([name, option]: [string, CommandOptions[string]]) => [
      name,
      {
        type: option.type,
        ...(option.short === undefined ? {} : { short: option.short }),
        multiple: option.isRepeatable === true,
      },
    ],
  );
  try {
    return parseArgs({
      args: words,
      options: Object.fromEntries(options),
      allowPositionals: true,
      allowNegative: true,
    });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const explained = explainOption(
      cause,
      options.map(([name]) => String(name)),
      messages,
    );
    throw new UsageError(`${explained}\n${messages.usage.seeHelp(`tijolo ${command.name}`)}`, { cause });
  }
}

/** Makes the error for options that stand alone. */
export function noCommand(words: readonly string[], { usage }: Messages): UsageError {
  const unknown = words.find(
    (word) => word.startsWith("-") && !(word.replace(/^-+|=.*$/g, "") in globalOptions),
  );
  return new UsageError(
    `${unknown === undefined ? usage.noCommand : usage.unknownOption(unknown)} ${usage.seeHelp("tijolo")}`,
  );
}

/** Makes the error for words that name no command. */
export function unknownCommand(
  words: readonly string[],
  commands: readonly Command[],
  { usage }: Messages,
): UsageError {
  const { given, nearest, family } = findNearestCommand(words, commands);
  const advice = nearest === null ? usage.seeHelp(`tijolo ${family}`.trim()) : usage.didYouMean(nearest);
  return new UsageError(`${usage.unknownCommand(given)} ${advice}`);
}

/** Reads a whole number within bounds. */
export function readInteger(
  text: string | undefined,
  option: string,
  range: { min: number; max: number },
  messages: Messages,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= range.min && value <= range.max) return value;
  throw new UsageError(
    messages.usage.badValue(option, `${messages.usage.number} (${range.min}–${range.max})`),
  );
}

/** Reads one of a few words. */
export function readChoice<const Choice extends string>(
  text: string | undefined,
  option: string,
  choices: readonly Choice[],
  messages: Messages,
): Choice | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new UsageError(messages.usage.badChoice(option, choices.join(", ")));
}
