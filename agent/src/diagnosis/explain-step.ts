/** Explains a failed install or run by the end of its own log. */

import type { OwnerMessage, ProjectSettings } from "@tijolo/protocol";
import type { LogSection } from "../logs/writer/log-files.ts";
import type { ProjectLogs } from "../logs/project-logs.ts";
import type { Explainer } from "./explainer.ts";

/** Number of lines that a traceback with its cause takes. */
const lineCount = 100;

export interface FailedStep {
  projectId: string;
  section: LogSection;
  /** Time when the step began. */
  since: Date;
  settings: ProjectSettings;
}

/** Explains a failed step; undefined when nothing is known about it. */
export async function explainStep(
  { logs, explainer }: { logs: Pick<ProjectLogs, "readLast">; explainer: Pick<Explainer, "explain"> },
  { projectId, section, since, settings }: FailedStep,
): Promise<OwnerMessage | undefined> {
  const { lines } = await logs.readLast(projectId, { section, since, lines: lineCount });
  return explainer.explain(
    { settings, section },
    lines.filter(({ stream }) => stream !== "system").map(({ text }) => text),
  );
}
