import { logSections, logStreams } from "@tijolo/protocol";
import { defineCommand, projectOption } from "../../command.ts";
import type { CommandContext } from "../../command-context.ts";
import { exitCodes } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { readProject } from "../../project/named-project.ts";
import { readChoice, readInteger } from "../../command-line/parse-arguments.ts";
import { readTime } from "../../command-line/read-time.ts";
import { eventsOf, formatLogEvent } from "../../show/show-log.ts";

/**
 * Most attempts to reconnect: central or the host may be unreachable for minutes while they restart; lines
 * written meanwhile are not lost.
 */
const reconnectAttempts = 100;

/** `tijolo logs`: the last lines, and with `-f` those that come. As JSON, a document per line. */
export const projectLogs = defineCommand({
  name: "logs",
  argument: "id|name|folder",
  options: {
    project: projectOption,
    follow: { type: "boolean", short: "f", summary: "follow" },
    lines: { type: "string", short: "n", value: "N", summary: "lines" },
    section: { type: "string", value: "SECTION", summary: "section" },
    stream: { type: "string", value: "STREAM", summary: "stream" },
    search: { type: "string", short: "q", value: "TEXT", summary: "search" },
    since: { type: "string", value: "TIME", summary: "since" },
    until: { type: "string", value: "TIME", summary: "until" },
  },
  examples: [
    "tijolo logs",
    "tijolo logs -f meu-bot",
    "tijolo logs -n 500 --section install",
    "tijolo logs -f minha-loja --section access",
    "tijolo logs -q erro --since 2h --until 30m",
    "tijolo logs --stream stderr --json",
  ],
  async run(context, input) {
    const { messages, output, signal, clock } = context;
    const { options } = input;
    const section = readChoice(options.section, "--section", ["all", ...logSections], messages);
    const stream = readChoice(options.stream, "--stream", logStreams, messages);
    const since = readTime(options.since, "--since", { nowMs: clock.now(), messages });
    const until = readTime(options.until, "--until", { nowMs: clock.now(), messages });
    const query = {
      lines: readInteger(options.lines, "--lines", { min: 0, max: 1000 }, messages) ?? 100,
      ...(section === undefined ? {} : { section }),
      ...(stream === undefined ? {} : { stream }),
      ...(options.search === undefined ? {} : { q: options.search }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    };
    const { client, projectId: id } = await connectProject(context, readProject(input, messages));
    if (options.follow !== true) {
      const page = await client.streamLogs.page({ id, query }, { signal });
      for (const event of eventsOf(page)) {
        output.json(event);
        output.line(formatLogEvent(context, event));
      }
      if (section === "access" && page.lines.length === 0) output.note(messages.project.noVisits);
      return exitCodes.ok;
    }
    const events = client.streamLogs(
      { id, query: { ...query, follow: true } },
      { signal, reconnect: reconnectOf(context) },
    );
    for await (const event of events) {
      output.json(event);
      output.line(formatLogEvent(context, event));
    }
    return exitCodes.ok;
  },
});

function reconnectOf({ random }: CommandContext) {
  return { maxAttempts: reconnectAttempts, minDelayMs: 500, maxDelayMs: 20_000, random };
}
