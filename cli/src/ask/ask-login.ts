/** Finds address and secret of a login: from the options, the environment, what was stored, or the person. */

import type { CommandContext } from "../command-context.ts";
import { CommandFailure, UsageError } from "../command-failure.ts";
import { parseServerUrl } from "../client/server-url.ts";

export interface LoginQuestion {
  url: string | undefined;
  secret: string | undefined;
  secretQuestion: string;
  /** Option that carries the secret in place of an answer. */
  secretOption: `--${string}`;
}

export async function askServerAndSecret(
  context: CommandContext,
  { url, secret, secretQuestion, secretOption }: LoginQuestion,
): Promise<{ url: string; secret: string }> {
  const serverUrl = await askServer(context, url);
  const given = secret ?? (await context.ask(secretQuestion, { isSecret: true }));
  if (!given) throw new UsageError(context.messages.usage.missing(secretOption));
  return { url: serverUrl, secret: given.trim() };
}

/** Returns the server's address. Throws CommandFailure when it is none, UsageError when nobody gives it. */
export async function askServer(
  { messages, environment, configuration, ask }: CommandContext,
  given: string | undefined,
): Promise<string> {
  const kept = (await configuration.find("account"))?.url ?? (await configuration.find("operator"))?.url;
  const address = given ?? environment["TIJOLO_URL"] ?? kept ?? (await ask(messages.ask.url));
  if (!address) throw new UsageError(messages.errors.noUrl);
  const serverUrl = parseServerUrl(address);
  if (serverUrl === null) throw new CommandFailure(messages.errors.badUrl(address));
  return serverUrl;
}
