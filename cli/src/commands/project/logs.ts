import { logSections, logStreams } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import type { CommandContext } from "../../command-context.ts";
import { exitCodes } from "../../command-failure.ts";
import { getProjectId } from "../../find-project.ts";
import { readChoice, readInteger } from "../../parse-arguments.ts";
import { formatLogEvent, formatLogLine } from "../../show-log.ts";

/** Central or the host may be away for minutes while they restart; lines written meanwhile are not lost. */
const reconnectAttempts = 100;

/** `tijolo logs`: the last lines, and with `-f` those that come. */
export const projectLogs = defineCommand({
  name: "logs",
  argument: "id|nome|pasta",
  options: {
    follow: { type: "boolean", short: "f", summary: "follow" },
    lines: { type: "string", short: "n", value: "N", summary: "lines" },
    section: { type: "string", value: "SEÇÃO", summary: "section" },
    stream: { type: "string", value: "SAÍDA", summary: "stream" },
    search: { type: "string", short: "q", value: "TEXTO", summary: "search" },
  },
  examples: ["tijolo logs", "tijolo logs -f meu-bot", "tijolo logs -n 500 --section install", "tijolo logs -q erro --json"],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const section = readChoice(options.section, "--section", ["all", ...logSections], messages);
    const stream = readChoice(options.stream, "--stream", logStreams, messages);
    const query = {
      lines: readInteger(options.lines, "--lines", { min: 0, max: 1000 }, messages) ?? 100,
      ...(section === undefined ? {} : { section }),
      ...(stream === undefined ? {} : { stream }),
      ...(options.search === undefined ? {} : { q: options.search }),
    };
    const connection = await context.connect();
    const id = await getProjectId(context, connection, argument);
    if (options.follow !== true) {
      const page = await connection.client.streamLogs.page({ id, query }, { signal });
      output.json(page);
      for (const line of page.lines) output.line(formatLogLine(context, line));
      return exitCodes.ok;
    }
    const events = connection.client.streamLogs({ id, query: { ...query, follow: true } }, { signal, reconnect: reconnectOf(context) });
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
