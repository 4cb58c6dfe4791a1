/** Defines a command: a value with its name, its options, its examples and what it does. */

import type { CommandContext } from "./command-context.ts";
import type { Messages } from "./messages.ts";

export interface CommandOption {
  type: "string" | "boolean";
  short?: string;
  /** Placeholder of the value in the help, such as `MB`. */
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

/** Values of the options; a boolean one is undefined when neither `--x` nor `--no-x` was given. */
export type OptionValues<Options extends CommandOptions> = {
  readonly [Name in keyof Options]?: ValueOf<Options[Name]>;
};

export interface CommandInput<Options extends CommandOptions> {
  /** The first positional argument. */
  argument: string | undefined;
  /** All words of the command line that are not options. */
  words: readonly string[];
  options: OptionValues<Options>;
}

export interface Command<Options extends CommandOptions = CommandOptions> {
  /** Words after `tijolo`. */
  name: keyof Messages["commands"];
  /** The positional argument, as the help shows it; for the command line it is optional. */
  argument?: string;
  /** True when the argument may stand more than once. */
  takesMany?: true;
  /** True when the words of `argument` each stand for one of the command line's, in that order. */
  takesEachWord?: true;
  /** True when the project may stand before the argument. */
  takesProject?: true;
  options: Options;
  /** Examples as whole command lines. */
  examples: readonly [string, ...string[]];
  /** Runs the command; resolves with the exit code. */
  run(context: CommandContext, input: CommandInput<Options>): Promise<number>;
}

/** Keeps the options' types for `run`, and hides them from the table of all commands. */
export function defineCommand<const Options extends CommandOptions>(command: Command<Options>): Command {
  return command;
}

/** Option of every command about a project. */
export const projectOption = {
  type: "string",
  short: "p",
  value: "PROJECT",
  summary: "project",
} as const satisfies CommandOption;

/** Option of commands whose change may wait for a restart. */
export const restartOption = { type: "boolean", summary: "restart" } as const satisfies CommandOption;

/** Options of every command. */
export const globalOptions = {
  json: { type: "boolean", summary: "json" },
  lang: { type: "string", value: "pt|en", summary: "lang" },
  help: { type: "boolean", short: "h", summary: "help" },
} as const satisfies CommandOptions;
