/** Reads the words of `tijolo env set`, with the values that come from a hidden question or from stdin. */

import type { CommandContext } from "../command-context.ts";
import { CommandFailure, UsageError } from "../command-failure.ts";
import { splitKeyValue } from "../command-line/key-value.ts";
import { checkVariableName } from "./check-name.ts";

/**
 * Reads the variables. `NAME` and `NAME=-` are asked for where a person is present, and otherwise are all of
 * stdin, for one variable. Throws UsageError for an empty stdin: only `NAME=` means an empty value.
 */
export async function readVariables(
  context: CommandContext,
  words: readonly string[],
  options: { isFromInput: boolean },
): Promise<Map<string, string>> {
  const { messages } = context;
  const pairs = words.map(splitKeyValue);
  for (const { name } of pairs) checkVariableName(name, messages);
  const asked = pairs.filter(isAsked);
  const readsInput = options.isFromInput || !context.isInteractive;
  if (readsInput && asked.length > 1) throw new UsageError(messages.errors.oneFromInput);
  const values = new Map<string, string>();
  for (const pair of pairs) {
    const { name, value } = pair;
    if (!isAsked(pair)) values.set(name, value ?? "");
    else values.set(name, await (readsInput ? readValue(context, name) : askValue(context, name)));
  }
  return values;
}

function isAsked({ value }: { value: string | null }): boolean {
  return value === null || value === "-";
}

async function readValue(context: CommandContext, name: string): Promise<string> {
  const value = withoutLastNewline(await context.readInput());
  if (value === "") throw new UsageError(context.messages.errors.emptyInput(name));
  return value;
}

async function askValue(context: CommandContext, name: string): Promise<string> {
  const value = await context.ask(context.messages.ask.variable(name), { isSecret: true });
  if (value === null) throw new CommandFailure(context.messages.errors.notConfirmed);
  return value;
}

/** Removes the newline that `echo` and files put at the end, which is not part of the value. */
function withoutLastNewline(text: string): string {
  return text.replace(/\r?\n$/, "");
}
