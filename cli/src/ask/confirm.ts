/** Asks a person for a confirmation before something is deleted. */

import type { CommandContext } from "../command-context.ts";
import { CommandFailure } from "../command-failure.ts";

/** Throws CommandFailure unless the person confirms; without a person, `unattended` says what to do. */
export async function confirm(context: CommandContext, question: string, unattended: string): Promise<void> {
  const { messages } = context;
  if (!context.isInteractive) throw new CommandFailure(unattended);
  const answer = await context.ask(messages.yesOrNo(question));
  if (!/^(s|sim|y|yes)$/i.test(answer ?? "")) throw new CommandFailure(messages.errors.notConfirmed);
}

/** Asks likewise where one slip would be too easy: the person types the name of what is deleted. */
export async function confirmByName(
  context: CommandContext,
  question: string,
  { name, unattended }: { name: string; unattended: string },
): Promise<void> {
  if (!context.isInteractive) throw new CommandFailure(unattended);
  if ((await context.ask(question))?.trim() !== name)
    throw new CommandFailure(context.messages.errors.notConfirmed);
}
