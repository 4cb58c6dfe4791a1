import { createClient } from "@tijolo/protocol";
import { askServer } from "../../ask-login.ts";
import { defineCommand } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { credentialOptions } from "../../panel/ask-credentials.ts";
import { apiUrlOf } from "../../server-url.ts";

/** `tijolo password forgot`: has a link mailed with which the person sets a new password. Who has no account is told the same. */
export const passwordForgot = defineCommand({
  name: "password forgot",
  options: { url: credentialOptions.url, email: credentialOptions.email },
  examples: ["tijolo password forgot --email ana@example.com"],
  async run(context, { options }) {
    const { output, messages, signal, environment } = context;
    const url = await askServer(context, options.url);
    const email = options.email ?? environment["TIJOLO_EMAIL"] ?? (context.isInteractive ? await context.ask(messages.ask.email) : null);
    if (!email) throw new UsageError(messages.usage.missing("--email"));
    await createClient({ baseUrl: apiUrlOf(url), fetch: context.fetch }).requestPasswordReset({ body: { email } }, { signal });
    output.json({ url });
    output.line(messages.account.resetAsked(email));
    return exitCodes.ok;
  },
});
