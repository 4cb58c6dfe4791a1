import { defineCommand } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { askServer } from "../../ask/ask-login.ts";
import { credentialOptions } from "../../panel/ask-credentials.ts";
import { readLink } from "../../panel/read-link.ts";
import { createPanelClient, signingOut } from "../../panel/with-panel-session.ts";

/** `tijolo confirm`: makes the account with the link of the mail that follows `tijolo sign-up`. */
export const confirm = defineCommand({
  name: "confirm",
  argument: "link|token",
  options: { url: credentialOptions.url },
  examples: ["tijolo confirm https://tijolo.example.org/…"],
  async run(context, { argument, options }) {
    const { output, messages, signal, environment } = context;
    const given = argument ?? (context.isInteractive ? await context.ask(messages.ask.confirmLink) : null);
    if (!given) throw new UsageError(messages.usage.missing(messages.help.placeholders["link|token"]));
    const link = readLink(given, "token");
    const url = await askServer(
      context,
      options.url ?? environment["TIJOLO_URL"] ?? link.serverUrl ?? undefined,
    );
    const client = createPanelClient(context, url);
    const { account, person } = await client.confirmSignUp({ body: { token: link.token } }, { signal });
    await signingOut(context, client, async () => {
      output.json({ account, person });
      output.line(messages.account.signedUp(account.name));
      output.note(messages.account.nextKey(url));
    });
    return exitCodes.ok;
  },
});
