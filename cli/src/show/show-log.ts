/** Shows log events on a terminal. */

import type { LogEvent, LogGap, LogLine } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { printable } from "./printable.ts";

/** Events as a stream sends them; those of a page have no id. */
export type ShownEvent =
  | { event: "log"; data: LogLine }
  | { event: "gap"; data: LogGap }
  | { event: "status"; data: Extract<LogEvent, { event: "status" }>["data"] };

/** Yields the lines of a page, oldest first, with its gaps where lines were dropped. */
export function* eventsOf({
  lines,
  gaps,
}: {
  lines: readonly LogLine[];
  gaps: readonly LogGap[];
}): Generator<ShownEvent> {
  const left = [...gaps];
  const gapsUntil = (ms: number) => left.splice(0, left.findLastIndex(({ at }) => Date.parse(at) <= ms) + 1);
  const eventOf = (gap: LogGap): ShownEvent => ({ event: "gap", data: gap });
  for (const line of lines) {
    yield* gapsUntil(Date.parse(line.at)).map(eventOf);
    yield { event: "log", data: line };
  }
  yield* left.map(eventOf);
}

export function formatLogLine({ output, messages }: CommandContext, line: LogLine): string {
  const time = output.style("dim", new Date(line.at).toLocaleTimeString(messages.locale));
  const text = printable(line.text);
  switch (line.stream) {
    case "stdout":
      return `${time} ${text}`;
    case "stderr":
      return `${time} ${output.style("red", text)}`;
    case "system":
      return `${time} ${output.style("cyan", text)}`;
  }
}

export function formatLogEvent(context: CommandContext, event: ShownEvent): string {
  const { messages, output } = context;
  switch (event.event) {
    case "log":
      return formatLogLine(context, event.data);
    case "gap":
      return output.style("yellow", messages.project.linesLost(event.data.droppedLines));
    case "status":
      return output.style("dim", messages.project.statusNow(messages.status[event.data.status]));
  }
}
