import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatAccount } from "../../show/show-account.ts";

/** `tijolo account`: the plan and what is used of it. */
export const accountShow = defineCommand({
  name: "account",
  options: {},
  examples: ["tijolo account", "tijolo account --json"],
  async run(context) {
    const { client } = await context.connect();
    const { account } = await client.getAccount({}, { signal: context.signal });
    context.output.json({ account });
    for (const line of formatAccount(context, account)) context.output.line(line);
    return exitCodes.ok;
  },
});
