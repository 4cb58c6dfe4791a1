/** Generates the help texts from the table of commands. */

import { globalOptions, type Command, type CommandOption } from "../command.ts";
import { commandGroups } from "../commands.ts";
import type { Messages } from "../messages.ts";
import { findText } from "../show/find-text.ts";

export function generalHelp(messages: Messages): string {
  const { help } = messages;
  const steps = help.steps.map(
    ([line = "", meaning = ""], index) => [`${index + 1}. ${line}`, meaning] as const,
  );
  const groups = Object.entries(help.groups) as [keyof typeof commandGroups, string][];
  return [
    help.title,
    "",
    `${help.firstSteps}:`,
    ...table(steps),
    "",
    ...groups.flatMap(([name, title]) => [`${title}:`, ...commandTable(commandGroups[name], messages), ""]),
    help.project,
    help.more,
    help.environment,
  ].join("\n");
}

/** Returns the help of commands that share their first words, such as those of `tijolo env`. */
export function familyHelp(family: readonly Command[], messages: Messages): string {
  return [...commandTable(family, messages), "", messages.help.more].join("\n");
}

export function commandHelp(command: Command, messages: Messages): string {
  const options = Object.entries<CommandOption>({ ...command.options, ...globalOptions });
  return [
    messages.commands[command.name],
    "",
    `${messages.help.usage}: tijolo ${usageOf(command, messages)} [--…]`,
    "",
    `${messages.help.options}:`,
    ...table(
      options.map(([name, option]) => [
        optionUsage(name, option, messages),
        messages.options[option.summary],
      ]),
    ),
    "",
    `${messages.help.examples}:`,
    ...command.examples.map((example) => `  ${example}`),
  ].join("\n");
}

function commandTable(commands: readonly Command[], messages: Messages): string[] {
  return table(commands.map((command) => [usageOf(command, messages), messages.commands[command.name]]));
}

function usageOf(
  { name, argument, takesMany, takesEachWord, takesProject }: Command,
  { help }: Messages,
): string {
  if (argument === undefined) return name;
  const project = takesProject === true ? ` [${help.placeholders["id|name|folder"]}]` : "";
  if (takesEachWord === true)
    return [
      `${name}${project}`,
      ...argument.split(" ").map((word) => `<${findText(help.placeholders, word) ?? word}>`),
    ].join(" ");
  return `${name}${project} [${findText(help.placeholders, argument) ?? argument}]${takesMany === true ? "…" : ""}`;
}

function optionUsage(name: string, { short, value }: CommandOption, { help }: Messages): string {
  const shown = value === undefined ? "" : ` ${findText(help.placeholders, value) ?? value}`;
  return `${short === undefined ? "    " : `-${short}, `}--${name}${shown}`;
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
