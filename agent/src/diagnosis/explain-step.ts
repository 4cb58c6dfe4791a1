/** Explains a failed install or run by the end of its own log. */

import { quote, type OwnerMessage, type ProjectSettings } from "@tijolo/protocol";
import type { SourceTree } from "../languages/language-rules.ts";
import type { LogSection } from "../logs/writer/log-files.ts";
import type { ProjectLogs } from "../logs/project-logs.ts";
import type { Explainer } from "./explainer.ts";

/** Number of lines that a traceback with its cause takes. */
const lineCount = 100;
/**
 * Number of last lines that are read of a log. After the error of an install, npm prints all options of its
 * command.
 */
const readCounts: Record<LogSection, number> = { app: lineCount, install: 400 };

export interface FailedStep {
  projectId: string;
  section: LogSection;
  /** Time when the step began. */
  since: Date;
  settings: ProjectSettings;
  /** Files of the upload. */
  tree?: SourceTree;
}

/** Explains a failed step; undefined when nothing is known about it. */
export async function explainStep(
  { logs, explainer }: { logs: Pick<ProjectLogs, "readLast">; explainer: Pick<Explainer, "explain"> },
  { projectId, section, since, settings, tree }: FailedStep,
): Promise<OwnerMessage | undefined> {
  const { lines } = await logs.readLast(projectId, { section, since, lines: readCounts[section] });
  const printed = lines.filter(({ stream }) => stream !== "system").map(({ text }) => text);
  const message = await explainer.explain({ settings, section }, withoutUsage(printed).slice(-lineCount));
  return message === undefined || tree === undefined ? message : withCause(message, tree);
}

/** Leaves out npm's list of a command's options, which is longer than the error above it. */
export function withoutUsage(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !/^npm (?:error|ERR!)(?:\s*$|\s+\[--| {3,})/.test(line));
}

/** Returns the message with the cause, when the first line of a script that does not run shows it. */
function withCause(message: OwnerMessage, tree: SourceTree): OwnerMessage {
  if (message.code !== "script_not_runnable") return message;
  const [firstLine = ""] = tree.read(message.file.replace(/^(?:\/app\/|\.\/)/, ""))?.split("\n") ?? [];
  return firstLine.startsWith("#!") && firstLine.endsWith("\r")
    ? { code: "windows_line_ends", file: quote(message.file) }
    : message;
}
