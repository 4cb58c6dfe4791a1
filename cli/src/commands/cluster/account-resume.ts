import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { printable } from "../../show/printable.ts";
import { connectForAccount } from "./find-account.ts";

/** `tijolo cluster account resume`: its owner may start again; nothing starts by itself. */
export const accountResume = defineCommand({
  name: "cluster account resume",
  argument: "account",
  options: {},
  examples: ["tijolo cluster account resume ana@example.com", "tijolo cluster account resume 01K… --json"],
  async run(context, { argument }) {
    const { messages, output, signal } = context;
    const { client, account } = await connectForAccount(context, argument);
    const result = await client.resumeAccount({ accountId: account.id }, { signal });
    const name = printable(account.name);
    output.json(result);
    output.line(
      account.suspendedAt === null ? messages.cluster.notSuspended(name) : messages.cluster.resumed(name),
    );
    if (result.stopped.length > 0) output.line(messages.cluster.wereStopped);
    for (const project of result.stopped) output.line(`  ${printable(project.name)} (${project.id})`);
    return exitCodes.ok;
  },
});
