import { createClient } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { askServer } from "../../ask/ask-login.ts";
import { readLink } from "../../panel/read-link.ts";
import { askNewPassword, credentialOptions } from "../../panel/ask-credentials.ts";
import { apiUrlOf } from "../../client/server-url.ts";

/** `tijolo password reset`: a new password, with a link that the operator gave or that came by mail. */
export const passwordReset = defineCommand({
  name: "password reset",
  argument: "link|token",
  options: { url: credentialOptions.url, "password-stdin": credentialOptions["password-stdin"] },
  examples: [
    "tijolo password reset",
    "tijolo password reset https://tijolo.example.org/…",
    "tijolo password reset TOKEN --password-stdin < senha.txt",
  ],
  async run(context, { argument, options }) {
    const { output, messages, signal, environment } = context;
    const given = argument ?? (context.isInteractive ? await context.ask(messages.ask.resetLink) : null);
    if (!given) throw new UsageError(messages.usage.missing(messages.help.placeholders["link|token"]));
    const link = readLink(given, "token");
    const url = await askServer(
      context,
      options.url ?? environment["TIJOLO_URL"] ?? link.serverUrl ?? undefined,
    );
    const password = await askNewPassword(context, options);
    const client = createClient({ baseUrl: apiUrlOf(url), fetch: context.fetch });
    await client.resetPassword({ body: { token: link.token, password } }, { signal });
    output.json({ url });
    output.line(messages.account.passwordChanged);
    output.note(messages.account.nextKey(url));
    return exitCodes.ok;
  },
});
