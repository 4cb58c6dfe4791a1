import { ApiError } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { CommandFailure, exitCodes } from "../../command-failure.ts";
import { printable } from "../../show/printable.ts";
import { connectForAccount } from "./find-account.ts";

/** `tijolo cluster account end-two-factor`: for who has lost the authenticator and the recovery codes. */
export const accountEndTwoFactor = defineCommand({
  name: "cluster account end-two-factor",
  argument: "account",
  options: {},
  examples: [
    "tijolo cluster account end-two-factor ana@example.com",
    "tijolo cluster account end-two-factor 01K… --json",
  ],
  async run(context, { argument }) {
    const { messages, output, signal } = context;
    const { client, account } = await connectForAccount(context, argument);
    const name = printable(account.name);
    const ended = await client
      .endAccountTwoFactor({ accountId: account.id }, { signal })
      .catch((cause: unknown) => {
        if (isNotFound(cause)) throw new CommandFailure(messages.cluster.nobodySignsIn(name), { cause });
        throw cause;
      });
    output.json(ended);
    output.line(ended.wasOn ? messages.cluster.twoFactorEnded(name) : messages.cluster.twoFactorWasOff(name));
    return exitCodes.ok;
  },
});

/** True for `not_found`: the account exists, so it has no person. */
function isNotFound(cause: unknown): boolean {
  return cause instanceof ApiError && cause.code === "not_found";
}
