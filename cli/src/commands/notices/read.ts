import { exitCodes, UsageError } from "../../command-failure.ts";
import { defineCommand } from "../../command.ts";
import { printableLine } from "../../show/printable.ts";

/** `tijolo notices read`: marks one notice, or all of them, as read. */
export const noticeRead = defineCommand({
  name: "notices read",
  argument: "id",
  options: { all: { type: "boolean", summary: "allNotices" } },
  examples: ["tijolo notices read 01KAJ3W8M5T9Q2R7V4X6Z0B1CD", "tijolo notices read --all"],
  async run(context, { argument, options }) {
    const { output, messages, signal } = context;
    const isAll = options.all === true;
    if (argument === undefined && !isAll) throw new UsageError(messages.usage.missing(messages.notice.id));
    if (argument !== undefined && isAll) throw new UsageError(messages.notice.idOrAll);
    const { client } = await context.connect();
    if (argument === undefined) {
      const answer = await client.readAllNotices({}, { signal });
      output.json(answer);
      output.line(messages.notice.allRead(answer.read));
    } else {
      const answer = await client.readNotice({ noticeId: argument.toUpperCase() }, { signal });
      output.json(answer);
      output.line(messages.notice.wasRead(printableLine(answer.notice.title)));
    }
    return exitCodes.ok;
  },
});
