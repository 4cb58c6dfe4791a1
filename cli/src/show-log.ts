/** How log events look on a terminal. */

import type { LogEvent, LogLine } from "@tijolo/protocol";
import type { CommandContext } from "./command-context.ts";
import { printable } from "./format.ts";

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

export function formatLogEvent(context: CommandContext, event: LogEvent): string {
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
