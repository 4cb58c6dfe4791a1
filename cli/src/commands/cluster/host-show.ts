import type { AdminClient } from "../../client/admin-client.ts";
import { defineCommand } from "../../command.ts";
import type { CommandContext } from "../../command-context.ts";
import { CommandFailure, exitCodes, UsageError } from "../../command-failure.ts";
import { printable } from "../../show/printable.ts";
import { formatHost } from "../../show/show-host.ts";

/** `tijolo cluster host show`: one machine with its projects, what each uses and what it is held to. */
export const hostShow = defineCommand({
  name: "cluster host show",
  argument: "máquina",
  options: {},
  examples: [
    "tijolo cluster host show",
    "tijolo cluster host show host-1",
    "tijolo cluster host show host-1 --json",
  ],
  async run(context, { argument }) {
    const { admin } = await context.connectAdmin();
    const host = argument ?? (await onlyHost(context, admin));
    const view = await admin.getHost.query({ host }, { signal: context.signal });
    context.output.json(view);
    for (const line of formatHost(context, view)) context.output.line(line);
    return exitCodes.ok;
  },
});

/** Where there is one, it need not be named. */
async function onlyHost({ messages, signal }: CommandContext, admin: AdminClient): Promise<string> {
  const [first, ...others] = await admin.listHosts.query(undefined, { signal });
  if (first === undefined) throw new CommandFailure(messages.cluster.noHosts);
  if (others.length > 0)
    throw new UsageError(
      messages.host.whichHost([first, ...others].map(({ name }) => printable(name)).join(", ")),
    );
  return first.id;
}
