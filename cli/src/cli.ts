/** Runs one command line: finds the command, shows help, runs it, and turns what it throws into words and an exit code. */

import { ApiError, ConnectionError } from "@tijolo/protocol";
import { TRPCClientError } from "@trpc/client";
import type { CommandContext } from "./command-context.ts";
import { CommandFailure, exitCodes, UsageError } from "./command-failure.ts";
import { commands } from "./commands.ts";
import { ConfigurationError } from "./configuration.ts";
import { commandHelp, generalHelp } from "./help.ts";
import type { Messages } from "./messages.ts";
import { findCommand, parseCommand } from "./parse-arguments.ts";

/** Resolves with the exit code; throws nothing. */
export async function runCommandLine(words: readonly string[], context: CommandContext): Promise<number> {
  try {
    return await runOrHelp(withOptionsLast(words), context);
  } catch (cause) {
    if (context.signal.aborted) return exitCodes.interrupted;
    return reportFailure(cause, context);
  }
}

/** `tijolo --json list` is `tijolo list --json`. */
function withOptionsLast(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word, index) => !word.startsWith("-") && words[index - 1] !== "--lang");
  return first <= 0 ? words : [...words.slice(first), ...words.slice(0, first)];
}

async function runOrHelp(words: readonly string[], context: CommandContext): Promise<number> {
  const { messages, output } = context;
  const asksForHelp = words.includes("--help") || words.includes("-h") || words[0] === "help";
  const named = findCommand(words[0] === "help" ? words.slice(1) : words, commands);
  if (asksForHelp && named !== null) {
    output.line(commandHelp(named.command, messages));
    return exitCodes.ok;
  }
  if (asksForHelp || words.length === 0) {
    output.line(generalHelp(commands, messages));
    return words.length === 0 ? exitCodes.usage : exitCodes.ok;
  }
  const { command, argument, options } = parseCommand(words, commands, messages);
  return await command.run(context, { argument, options });
}

function reportFailure(cause: unknown, { output, messages, environment }: CommandContext): number {
  const { code, message, extra } = explain(cause, messages);
  if (output.isJson) output.json({ error: { code, message, ...extra } });
  else output.error(`${output.noteStyle("red", "✗")} ${message}`);
  if (environment["TIJOLO_DEBUG"] && cause instanceof Error) output.error(cause.stack ?? "");
  return cause instanceof UsageError ? exitCodes.usage : exitCodes.failure;
}

interface Explanation {
  code: string;
  message: string;
  extra?: Readonly<Record<string, unknown>>;
}

/** What happened, and what to do about it. */
function explain(cause: unknown, messages: Messages): Explanation {
  if (cause instanceof UsageError) return { code: "usage", message: cause.message };
  if (cause instanceof CommandFailure) return { code: "failed", message: cause.message };
  if (cause instanceof ConfigurationError) return { code: "bad_configuration", message: messages.errors.badConfiguration(cause.message) };
  if (cause instanceof ApiError) {
    const fields = Object.entries(cause.extra).map(([name, value]) =>
      messages.errors.fieldIs(name, typeof value === "string" ? value : JSON.stringify(value)),
    );
    const hint = messages.hints[cause.code];
    const lines = [`${cause.message} (${cause.code})`, ...fields.map((field) => `  ${field}`), ...(hint === undefined ? [] : [hint])];
    return { code: cause.code, message: lines.join("\n"), extra: { status: cause.status, ...cause.extra } };
  }
  if (cause instanceof ConnectionError)
    return { code: "no_answer", message: messages.errors.noAnswer(cause.message.replace(/^no answer from /, "")) };
  if (cause instanceof TRPCClientError) return explainAdminError(cause, messages);
  return { code: "unexpected", message: `${cause instanceof Error ? cause.message : String(cause)}\n${messages.errors.unexpected}` };
}

function explainAdminError(cause: TRPCClientError<never>, messages: Messages): Explanation {
  const data: unknown = cause.data;
  if (typeof data === "object" && data !== null && "code" in data && typeof data.code === "string") {
    return { code: data.code.toLowerCase(), message: data.code === "UNAUTHORIZED" ? messages.errors.operatorRefused : cause.message };
  }
  return { code: "no_answer", message: `${cause.message}. ${messages.errors.noAnswer("central")}` };
}
