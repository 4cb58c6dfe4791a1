/** The help texts, generated from the table of commands. */

import { globalOptions, type Command, type CommandOption } from "./command.ts";
import type { Messages } from "./messages.ts";

export function generalHelp(commands: readonly Command[], messages: Messages): string {
  const isOperators = (command: Command) => command.name.startsWith("cluster ");
  const rows = (list: readonly Command[]) => table(list.map((command) => [usageOf(command), messages.commands[command.name]]));
  return [
    messages.help.title,
    "",
    `${messages.help.commands}:`,
    ...rows(commands.filter((command) => !isOperators(command))),
    "",
    `${messages.help.operatorCommands}:`,
    ...rows(commands.filter(isOperators)),
    "",
    messages.help.more,
    messages.help.environment,
  ].join("\n");
}

export function commandHelp(command: Command, messages: Messages): string {
  const options = Object.entries<CommandOption>({ ...command.options, ...globalOptions });
  return [
    messages.commands[command.name],
    "",
    `${messages.help.usage}: tijolo ${usageOf(command)} [--…]`,
    "",
    `${messages.help.options}:`,
    ...table(options.map(([name, option]) => [optionUsage(name, option), messages.options[option.summary]])),
    "",
    `${messages.help.examples}:`,
    ...command.examples.map((example) => `  ${example}`),
  ].join("\n");
}

function usageOf({ name, argument }: Command): string {
  return argument === undefined ? name : `${name} [${argument}]`;
}

function optionUsage(name: string, { short, value }: CommandOption): string {
  return `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
