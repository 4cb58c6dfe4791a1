/** Asks a person before something is taken away. */

import type { CommandContext } from "../command-context.ts";
import { CommandFailure } from "../command-failure.ts";

/**
 * Throws CommandFailure when the person does not say yes, or is not there: then `unattended` says what to do.
 */
export async function confirm(context: CommandContext, question: string, unattended: string): Promise<void> {
  const { messages } = context;
  if (!context.isInteractive) throw new CommandFailure(unattended);
  const answer = await context.ask(messages.yesOrNo(question));
  if (!/^(s|sim|y|yes)$/i.test(answer ?? "")) throw new CommandFailure(messages.errors.notConfirmed);
}

/** The same, where one slip would be too easy: the person types the name of what is taken away. */
export async function confirmByName(
  context: CommandContext,
  question: string,
  { name, unattended }: { name: string; unattended: string },
): Promise<void> {
  if (!context.isInteractive) throw new CommandFailure(unattended);
  if ((await context.ask(question))?.trim() !== name)
    throw new CommandFailure(context.messages.errors.notConfirmed);
}
