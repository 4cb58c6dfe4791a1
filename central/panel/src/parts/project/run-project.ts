/** Sends a start, a stop or a restart, with its mark on the screen. */

import type { LiveAction } from "@tijolo/protocol/live";
import { callConfirmed } from "../../api/call-confirmed.ts";
import { clearMark, markAction, settleMark } from "./pending-actions.ts";
import type { Run } from "./project-reasons.ts";

const operations = { start: "startProject", stop: "stopProject", restart: "restartProject" } as const;
const marks: Record<Run, LiveAction> = { start: "starting", stop: "stopping", restart: "restarting" };

/** Resolves with what was refused, or null. */
export async function runProject(projectId: string, run: Run): Promise<Error | null> {
  markAction(projectId, marks[run]);
  try {
    await callConfirmed(operations[run], { id: projectId });
    settleMark(projectId);
    return null;
  } catch (cause) {
    clearMark(projectId);
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}
