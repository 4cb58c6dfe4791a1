/** What a command is: a value with its name, its options, its examples and what it does. */

import type { CommandContext } from "./command-context.ts";
import type { Messages } from "./messages.ts";

export interface CommandOption {
  type: "string" | "boolean";
  short?: string;
  /** What stands for the value in the help, such as `MB`. */
  value?: string;
  summary: keyof Messages["options"];
  isRepeatable?: boolean;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

type ValueOf<Option extends CommandOption> = Option["type"] extends "boolean"
  ? boolean
  : Option extends { isRepeatable: true }
    ? readonly string[]
    : string;

/** A boolean option is undefined when neither `--x` nor `--no-x` was given. */
export type OptionValues<Options extends CommandOptions> = { readonly [Name in keyof Options]?: ValueOf<Options[Name]> };

export interface Command<Options extends CommandOptions = CommandOptions> {
  /** The words after `tijolo`. */
  name: keyof Messages["commands"];
  /** The one positional argument, as the help shows it; all of them are optional. */
  argument?: string;
  options: Options;
  /** Whole command lines. */
  examples: readonly [string, ...string[]];
  /** Resolves with the exit code. */
  run(context: CommandContext, input: { argument: string | undefined; options: OptionValues<Options> }): Promise<number>;
}

/** Keeps the options' types for `run`, and forgets them for the table of all commands. */
export function defineCommand<const Options extends CommandOptions>(command: Command<Options>): Command {
  return command;
}

/** Every command has these. */
export const globalOptions = {
  json: { type: "boolean", summary: "json" },
  lang: { type: "string", value: "pt|en", summary: "lang" },
  help: { type: "boolean", short: "h", summary: "help" },
} as const satisfies CommandOptions;
