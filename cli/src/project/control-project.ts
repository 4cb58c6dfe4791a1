/** Starts, stops or restarts a project: requests it, waits for the result, and reports it. */

import type { Client, Project } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit/latch";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../command-failure.ts";
import { awaitComingUp } from "./await-coming-up.ts";
import { connectProject } from "./find-project.ts";
import { formatProject, tellSuccess } from "../show/show-project.ts";
import { watchProject } from "./watch-project.ts";

const deadlineMs = 2 * 60_000;

export interface ControlRequest {
  operation: "startProject" | "stopProject" | "restartProject";
  /** The state that counts as success. */
  goal: "running" | "stopped";
}

export interface ControlledProject {
  project: Project;
  /** True for a site that runs and does not answer on its port yet. */
  isStarting: boolean;
}

/** Controls the project; resolves with the exit code. */
export async function controlProject(
  context: CommandContext,
  given: string | undefined,
  request: ControlRequest,
): Promise<number> {
  const connection = await connectProject(context, given);
  const { project, isStarting } = await awaitControl(context, connection, request);
  context.output.json({ project, ...(isStarting ? { isStarting } : {}) });
  return tellControl(context, { project, isStarting }, request);
}

/** Requests the action and resolves with the project once its state is final. */
export async function awaitControl(
  context: CommandContext,
  { client, projectId }: { client: Client; projectId: string },
  { operation, goal }: ControlRequest,
): Promise<ControlledProject> {
  const { output, messages, signal } = context;
  const { project } = await client[operation]({ id: projectId }, { signal });
  output.progress(messages.project.isNow(project.name, messages.status[project.status]));
  const watched = { client, projectId, deadlineMs, nudge: new Latch() };
  if (goal === "stopped")
    return { project: await watchProject(context, { ...watched, isDone: isOff }), isStarting: false };
  const run = { ...watched, versionNumber: null, lastExit: project.lastExit };
  return await awaitComingUp(context, run);
}

/** Reports the result; returns the exit code. */
export function tellControl(
  context: CommandContext,
  { project, isStarting }: ControlledProject,
  { goal }: ControlRequest,
): number {
  const { output, messages } = context;
  const endedByItself = goal === "running" && project.status === "stopped" && project.lastExit?.code === 0;
  const isAsAsked = goal === "stopped" ? isOff(project) : project.status === "running";
  if (isAsAsked || endedByItself) {
    tellSuccess(context, project, { wantedRun: goal === "running", isStarting });
    return exitCodes.ok;
  }
  for (const line of formatProject(context, project)) output.line(line);
  output.note(messages.project.readLogs);
  return exitCodes.failure;
}

/** True when the project is stopped, or given up: nothing runs and nothing will by itself. */
function isOff({ status }: Project): boolean {
  return status === "stopped" || status === "error" || status === "crash_loop";
}
