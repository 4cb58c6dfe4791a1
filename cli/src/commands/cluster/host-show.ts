import type { Client } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import type { CommandContext } from "../../command-context.ts";
import { CommandFailure, exitCodes, UsageError } from "../../command-failure.ts";
import { printable } from "../../show/printable.ts";
import { formatHost } from "../../show/show-host.ts";

/** `tijolo cluster host show`: one machine with its projects, what each uses and what it is held to. */
export const hostShow = defineCommand({
  name: "cluster host show",
  argument: "machine",
  options: {},
  examples: [
    "tijolo cluster host show",
    "tijolo cluster host show host-1",
    "tijolo cluster host show host-1 --json",
  ],
  async run(context, { argument }) {
    const { client } = await context.connectOperator();
    const host = argument ?? (await onlyHost(context, client));
    const view = await client.getHost({ host }, { signal: context.signal });
    context.output.json(view);
    for (const line of formatHost(context, view)) context.output.line(line);
    return exitCodes.ok;
  },
});

/** Returns the only host; it need not be named. */
async function onlyHost({ messages, signal }: CommandContext, client: Client): Promise<string> {
  const { hosts } = await client.listHosts({}, { signal });
  const [first, ...others] = hosts;
  if (first === undefined) throw new CommandFailure(messages.cluster.noHosts);
  if (others.length > 0)
    throw new UsageError(
      messages.host.whichHost([first, ...others].map(({ name }) => printable(name)).join(", ")),
    );
  return first.id;
}
