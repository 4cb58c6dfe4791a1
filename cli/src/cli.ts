/** Runs one command line: finds the command, shows help, runs it, and turns errors into texts and a code. */

import manifest from "../package.json" with { type: "json" };
import type { CommandContext } from "./command-context.ts";
import { exitCodes, UsageError } from "./command-failure.ts";
import { commandWordIndexes, commandWords } from "./command-line/command-words.ts";
import { commands } from "./commands.ts";
import { explainFailure } from "./show/explain-failure.ts";
import { commandHelp, familyHelp, generalHelp } from "./command-line/help.ts";
import { checkLanguage } from "./message-language.ts";
import type { Messages } from "./messages.ts";
import {
  findCommand,
  findFamily,
  noCommand,
  parseCommand,
  unknownCommand,
} from "./command-line/parse-arguments.ts";

/** Runs the command line. Resolves with the exit code; throws nothing. */
export async function runCommandLine(words: readonly string[], context: CommandContext): Promise<number> {
  try {
    checkLanguage(words, context);
    return await runOrHelp(withOptionsLast(words), context);
  } catch (cause) {
    if (context.signal.aborted) return exitCodes.interrupted;
    return reportFailure(cause, context);
  }
}

/** Moves options behind the words: `tijolo --json list` is `tijolo list --json`. */
function withOptionsLast(words: readonly string[]): readonly string[] {
  const [first = 0] = commandWordIndexes(words, commands);
  return first === 0 ? words : [...words.slice(first), ...words.slice(0, first)];
}

async function runOrHelp(words: readonly string[], context: CommandContext): Promise<number> {
  const { messages, output } = context;
  const asksForHelp = words.includes("--help") || words.includes("-h") || words[0] === "help";
  const asked = words[0] === "help" ? words.slice(1) : words;
  const named = findCommand(asked, commands);
  if (asksForHelp && named !== null) {
    output.line(commandHelp(named.command, messages));
    return exitCodes.ok;
  }
  const family = findFamily(asked, commands);
  if (named === null && family.length > 0) {
    output.line(familyHelp(family, messages));
    return asksForHelp ? exitCodes.ok : exitCodes.usage;
  }
  const isNamed = commandWords(asked, commands).length > 0;
  if (asksForHelp && isNamed) throw unknownCommand(asked, commands, messages);
  if (asksForHelp || words.length === 0) {
    output.line(generalHelp(messages));
    return words.length === 0 ? exitCodes.usage : exitCodes.ok;
  }
  if (!isNamed && words.some((word) => word === "--version" || word === "-v")) {
    output.json({ version: manifest.version });
    output.line(`tijolo ${manifest.version}`);
    return exitCodes.ok;
  }
  if (!isNamed) throw noCommand(words, messages);
  const { command, input } = parseCommand(words, commands, messages);
  return await command.run(context, input).catch((cause: unknown) => {
    throw cause instanceof UsageError ? withHelp(cause, command.name, messages) : cause;
  });
}

/** Adds the line that says where the command's help is, unless the message has one. */
function withHelp(cause: UsageError, name: string, { usage }: Messages): UsageError {
  const seeHelp = usage.seeHelp(`tijolo ${name}`);
  return cause.message.includes(seeHelp) ? cause : new UsageError(`${cause.message}\n${seeHelp}`, { cause });
}

function reportFailure(cause: unknown, { output, messages, environment }: CommandContext): number {
  const { code, message, extra, spoken = message } = explainFailure(cause, messages);
  if (output.isJson) output.json({ error: { code, message, ...extra } });
  else output.error(`${output.noteStyle("red", "✗")} ${spoken}`);
  if (environment["TIJOLO_DEBUG"] && cause instanceof Error) output.error(cause.stack ?? "");
  return cause instanceof UsageError ? exitCodes.usage : exitCodes.failure;
}
