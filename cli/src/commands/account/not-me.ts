import { createClient } from "@tijolo/protocol";
import { askServer } from "../../ask/ask-login.ts";
import { defineCommand } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { credentialOptions } from "../../panel/ask-credentials.ts";
import { readLink } from "../../panel/read-link.ts";
import { apiUrlOf } from "../../client/server-url.ts";

/**
 * `tijolo not-me`: says, with the link of the mail about a sign-in, that it was somebody else; ends sessions,
 * keys and the password.
 */
export const notMe = defineCommand({
  name: "not-me",
  argument: "link|token",
  options: { url: credentialOptions.url },
  examples: ["tijolo not-me https://tijolo.example.org/…"],
  async run(context, { argument, options }) {
    const { output, messages, signal, environment } = context;
    const given = argument ?? (context.isInteractive ? await context.ask(messages.ask.notMeLink) : null);
    if (!given) throw new UsageError(messages.usage.missing(messages.help.placeholders["link|token"]));
    const link = readLink(given, "token");
    const url = await askServer(
      context,
      options.url ?? environment["TIJOLO_URL"] ?? link.serverUrl ?? undefined,
    );
    await createClient({ baseUrl: apiUrlOf(url), fetch: context.fetch }).notMeByLink(
      { body: { token: link.token } },
      { signal },
    );
    output.json({ url });
    output.line(messages.account.notMeDone);
    output.note(messages.account.nextPassword);
    return exitCodes.ok;
  },
});
