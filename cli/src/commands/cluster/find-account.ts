/**
 * Finds the account that an operator means: by id, by its person's e-mail, or by its name when no other has
 * it.
 */

import type { AccountSummary, Client } from "@tijolo/protocol";
import type { CommandContext } from "../../command-context.ts";
import { CommandFailure, UsageError } from "../../command-failure.ts";

/**
 * Returns the operators' client, and the account. Throws UsageError without a word, CommandFailure unless it
 * means exactly one.
 */
export async function connectForAccount(
  context: CommandContext,
  given: string | undefined,
): Promise<{ client: Client; account: AccountSummary }> {
  const { messages } = context;
  if (given === undefined || given.trim() === "")
    throw new UsageError(messages.usage.missing(messages.cluster.account));
  const { client } = await context.connectOperator();
  return { client, account: await getAccount(context, client, given) };
}

export async function getAccount(
  { messages, signal }: CommandContext,
  client: Client,
  given: string,
): Promise<AccountSummary> {
  const { accounts } = await client.listAccounts({ query: { reference: given } }, { signal });
  const [first, ...others] = accounts;
  if (first === undefined) throw new CommandFailure(messages.cluster.noSuchAccount(given));
  if (others.length > 0)
    throw new CommandFailure(
      messages.cluster.manyAccounts(given, [first, ...others].map(({ id }) => id).join(", ")),
    );
  return first;
}
