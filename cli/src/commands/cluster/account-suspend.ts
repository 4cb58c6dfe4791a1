import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";
import { readDuration } from "../../command-line/read-duration.ts";
import { connectForAccount } from "./find-account.ts";

/** `tijolo cluster account suspend`: nothing starts any more; what runs stops when the grace is over. */
export const accountSuspend = defineCommand({
  name: "cluster account suspend",
  argument: "account",
  options: { grace: { type: "string", value: "24h", summary: "grace" } },
  examples: [
    "tijolo cluster account suspend ana@example.com",
    "tijolo cluster account suspend 01K… --grace 72h",
    "tijolo cluster account suspend Ana --grace 0",
  ],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const graceMs = readDuration(options.grace, "--grace", messages);
    const { client, account } = await connectForAccount(context, argument);
    const body = graceMs === undefined ? {} : { graceMs };
    const result = await client.suspendAccount({ accountId: account.id, body }, { signal });
    const { stopsAt } = result.account;
    output.json(result);
    output.line(messages.cluster.suspended(printable(account.name)));
    if (result.running.length === 0 || stopsAt === null) output.line(messages.cluster.nothingRuns);
    else output.line(messages.cluster.willStop(formatTime(Date.parse(stopsAt), messages.locale)));
    for (const project of result.running) output.line(`  ${printable(project.name)} (${project.id})`);
    return exitCodes.ok;
  },
});
