import type { Notice } from "@tijolo/protocol";
import type { CommandContext } from "../../command-context.ts";
import { exitCodes } from "../../command-failure.ts";
import { limitOption, readLimit } from "../../command-line/read-limit.ts";
import { defineCommand } from "../../command.ts";
import { formatTime } from "../../show/format.ts";
import { printableLine } from "../../show/printable.ts";

/** `tijolo notices`: lists the account's notices about its projects. */
export const noticeList = defineCommand({
  name: "notices",
  options: { unread: { type: "boolean", summary: "unread" }, limit: limitOption },
  examples: ["tijolo notices", "tijolo notices --unread", "tijolo notices -n 100 --json"],
  async run(context, { options }) {
    const { output, messages, signal } = context;
    const limit = readLimit(options.limit, messages);
    const { client } = await context.connect();
    const page = await client.listNotices({ query: { limit, unread: options.unread === true } }, { signal });
    output.json(page);
    if (page.notices.length === 0) output.line(messages.notice.none);
    for (const notice of page.notices) for (const line of linesOf(context, notice)) output.line(line);
    if (page.unread > 0) output.note(messages.notice.unread(page.unread));
    return exitCodes.ok;
  },
});

function linesOf({ output, messages }: CommandContext, notice: Notice): string[] {
  const time = formatTime(Date.parse(notice.lastAt), messages.locale);
  const times = notice.count > 1 ? ` (${notice.count}×)` : "";
  const title = printableLine(notice.title);
  return [
    `${notice.isRead ? " " : "●"} ${time}  ${notice.isRead ? title : output.style("bold", title)}${times}`,
    `  ${printableLine(notice.message)}`,
    output.style("dim", `  ${notice.kind}  ${notice.id}`),
  ];
}
