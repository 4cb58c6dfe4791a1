import { defineCommand } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";
import { readDuration } from "../../command-line/read-duration.ts";
import { connectForAccount } from "./find-account.ts";

const defaultMs = 10 * 60_000;

/**
 * `tijolo cluster account beta-ending`: the account returns to Free, after a time in which it starts nothing.
 */
export const accountBetaEnding = defineCommand({
  name: "cluster account beta-ending",
  argument: "account",
  options: {
    in: { type: "string", value: "10m", summary: "betaEndsIn" },
    cancel: { type: "boolean", summary: "cancelBetaEnd" },
  },
  examples: [
    "tijolo cluster account beta-ending ana@example.com --in 1h",
    "tijolo cluster account beta-ending 01K… --cancel",
  ],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    if (options.cancel === true && options.in !== undefined)
      throw new UsageError(messages.cluster.cancelOrIn);
    const inMs = readDuration(options.in, "--in", messages) ?? defaultMs;
    const { client, account: found } = await connectForAccount(context, argument);
    const { account } =
      options.cancel === true
        ? await client.cancelBetaEnd({ accountId: found.id }, { signal })
        : await client.endBeta({ accountId: found.id, body: { inMs } }, { signal });
    const name = printable(account.name);
    output.json({ account });
    if (account.betaEndsAt === null) output.line(messages.cluster.betaGoesOn(name, account.plan));
    else
      output.line(
        messages.cluster.betaEnds(name, formatTime(Date.parse(account.betaEndsAt), messages.locale)),
      );
    return exitCodes.ok;
  },
});
