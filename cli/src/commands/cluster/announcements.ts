import { exitCodes } from "../../command-failure.ts";
import { defineCommand } from "../../command.ts";
import { formatTable, formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";

/** `tijolo cluster announcements`: what was announced, and how far it has come. */
export const clusterAnnouncements = defineCommand({
  name: "cluster announcements",
  options: {},
  examples: ["tijolo cluster announcements", "tijolo cluster announcements --json"],
  async run(context) {
    const { output, messages, signal } = context;
    const { notice: texts, locale } = messages;
    const { client } = await context.connectOperator();
    const answer = await client.listAnnouncements({}, { signal });
    output.json(answer);
    if (answer.announcements.length === 0) output.line(texts.noAnnouncements);
    const rows = answer.announcements.map(({ at, by, host, accounts, isComplete, text }) => [
      formatTime(Date.parse(at), locale),
      printable(by),
      printable(host ?? texts.allAccounts),
      texts.reached(accounts, isComplete),
      printable(text),
    ]);
    for (const line of formatTable(rows)) output.line(line);
    return exitCodes.ok;
  },
});
