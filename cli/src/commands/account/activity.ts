import type { ActivityEntry } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatChange } from "../../show/format-change.ts";
import { formatTable, formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";
import type { Messages } from "../../messages.ts";
import { limitOption, readLimit } from "../../command-line/read-limit.ts";

/** `tijolo activity`: who did what in the account. */
export const accountActivity = defineCommand({
  name: "activity",
  options: { limit: limitOption },
  examples: ["tijolo activity", "tijolo activity -n 100", "tijolo activity --json"],
  async run(context, { options }) {
    const { output, messages, signal } = context;
    const limit = readLimit(options.limit, messages);
    const { client } = await context.connect();
    const page = await client.listActivity({ query: { limit } }, { signal });
    output.json(page);
    if (page.activity.length === 0) output.line(messages.account.noActivity);
    for (const line of formatTable(page.activity.map((entry) => rowOf(entry, messages)))) output.line(line);
    return exitCodes.ok;
  },
});

function rowOf(entry: ActivityEntry, messages: Messages): string[] {
  const { at, actor, action, project, address } = entry;
  const { locale, account } = messages;
  return [
    formatTime(Date.parse(at), locale),
    account.actions[action],
    project === null ? "-" : printable(project.name),
    `${account.actors[actor.kind]} ${printable(actor.name)}`.trim(),
    address ?? "-",
    printable(formatChange(entry, messages)),
  ];
}
