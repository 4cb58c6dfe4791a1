import { createClient } from "@tijolo/protocol";
import { askServer } from "../../ask/ask-login.ts";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { askEmail, credentialOptions } from "../../panel/ask-credentials.ts";
import { apiUrlOf } from "../../client/server-url.ts";

/**
 * `tijolo password forgot`: has a link mailed with which the person sets a new password. Who has no account
 * is told the same.
 */
export const passwordForgot = defineCommand({
  name: "password forgot",
  options: { url: credentialOptions.url, email: credentialOptions.email },
  examples: ["tijolo password forgot --email ana@example.com"],
  async run(context, { options }) {
    const { output, messages, signal } = context;
    const url = await askServer(context, options.url);
    const email = await askEmail(context, options);
    await createClient({ baseUrl: apiUrlOf(url), fetch: context.fetch }).requestPasswordReset(
      { body: { email } },
      { signal },
    );
    output.json({ url });
    output.line(messages.account.resetAsked(email));
    return exitCodes.ok;
  },
});
