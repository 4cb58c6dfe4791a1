import { defineCommand } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { askServer } from "../../ask/ask-login.ts";
import { askEmail, askNewPassword, credentialOptions } from "../../panel/ask-credentials.ts";
import { readLink } from "../../panel/read-link.ts";
import { createPanelClient, signingOut } from "../../panel/with-panel-session.ts";

/** `tijolo sign-up`: makes the account; the key for this computer comes with `tijolo keys create`. */
export const signUp = defineCommand({
  name: "sign-up",
  options: {
    name: { type: "string", value: "NAME", summary: "personName" },
    invitation: { type: "string", value: "INVITATION", summary: "invitation" },
    url: credentialOptions.url,
    email: credentialOptions.email,
    "password-stdin": credentialOptions["password-stdin"],
  },
  examples: [
    "tijolo sign-up --url https://tijolo.example.org",
    "tijolo sign-up --invitation CONVITE --name Ana --email ana@example.org",
  ],
  async run(context, { options }) {
    const { output, messages, signal } = context;
    const invitation = options.invitation === undefined ? null : readLink(options.invitation, "invitation");
    const url = await askServer(
      context,
      options.url ?? context.environment["TIJOLO_URL"] ?? invitation?.serverUrl ?? undefined,
    );
    const name = options.name ?? (context.isInteractive ? await context.ask(messages.ask.personName) : null);
    if (!name) throw new UsageError(messages.usage.missing("--name"));
    const email = await askEmail(context, options);
    const password = await askNewPassword(context, options);
    const client = createPanelClient(context, url);
    const body = { name, email, password, ...(invitation === null ? {} : { invitation: invitation.token }) };
    const answer = await client.signUp({ body }, { signal });
    if (answer.isConfirmationRequired) {
      output.json({ isConfirmationRequired: true });
      output.line(messages.account.confirmationAsked(email));
      return exitCodes.ok;
    }
    const { account, person } = answer;
    await signingOut(context, client, async () => {
      output.json({ account, person });
      output.line(messages.account.signedUp(account.name));
      output.note(messages.account.nextKey(url));
    });
    return exitCodes.ok;
  },
});
