import { ApiError } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { CommandFailure, exitCodes } from "../../command-failure.ts";
import { formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";
import { connectForAccount } from "./find-account.ts";

/**
 * `tijolo cluster account reset-password`: a link for the person, where no mail can be sent. An account that
 * has only had keys gets its person.
 */
export const accountResetPassword = defineCommand({
  name: "cluster account reset-password",
  argument: "account",
  options: { email: { type: "string", value: "E-MAIL", summary: "personEmail" } },
  examples: [
    "tijolo cluster account reset-password ana@example.com",
    "tijolo cluster account reset-password 01K… --email ana@example.com",
  ],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const { client, account } = await connectForAccount(context, argument);
    const { email } = options;
    const input = { accountId: account.id, ...(email === undefined ? {} : { email }) };
    const { link } = await client.createPasswordLink({ body: input }, { signal }).catch((cause: unknown) => {
      if (email === undefined && isBadRequest(cause))
        throw new CommandFailure(messages.cluster.hasNoPerson(account.name), { cause });
      throw cause;
    });
    output.json({ link });
    output.note(
      messages.cluster.passwordLink(
        printable(link.email),
        formatTime(Date.parse(link.expiresAt), messages.locale),
      ),
    );
    output.line(link.url);
    return exitCodes.ok;
  },
});

/** True for `invalid_request`: without an e-mail, the account must have a person. */
function isBadRequest(cause: unknown): boolean {
  return cause instanceof ApiError && cause.code === "invalid_request";
}
