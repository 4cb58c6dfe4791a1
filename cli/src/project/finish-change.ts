/**
 * Ends a command that changed what a project runs with: reports whether the change is pending until a
 * restart, and restarts when asked to.
 */

import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../command-failure.ts";
import { awaitControl, tellControl, type ControlRequest } from "./control-project.ts";
import type { ProjectConnection } from "./find-project.ts";

const restart: ControlRequest = { operation: "restartProject", goal: "running" };

export interface Change {
  isRestartRequired: boolean;
  wantsRestart: boolean | undefined;
  /** Document that `--json` shows beside. */
  document: object;
}

/** Finishes the command; resolves with the exit code. */
export async function finishChange(
  context: CommandContext,
  connection: ProjectConnection,
  change: Change,
): Promise<number> {
  const { output, messages } = context;
  if (!change.isRestartRequired || change.wantsRestart !== true) {
    output.json({ ...change.document, isRestartRequired: change.isRestartRequired });
    if (change.isRestartRequired)
      output.line(output.style("yellow", messages.settings.restartNeeded(connection.projectId)));
    return exitCodes.ok;
  }
  const controlled = await awaitControl(context, connection, restart);
  output.json({ ...change.document, isRestartRequired: false, project: controlled.project });
  return tellControl(context, controlled, restart);
}
