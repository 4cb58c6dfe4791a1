/** Start, stop and restart: asks, waits until it is so, and says how it ended. */

import type { Project } from "@tijolo/protocol";
import type { CommandContext } from "./command-context.ts";
import { exitCodes } from "./command-failure.ts";
import { getProjectId } from "./find-project.ts";
import { outcomeOf, Settling } from "./settling.ts";
import { formatProject, tellSuccess } from "./show-project.ts";
import { Nudge, watchProject } from "./watch-project.ts";

const deadlineMs = 2 * 60_000;

/** `goal` is the state that counts as success. Resolves with the exit code. */
export async function controlProject(
  context: CommandContext,
  given: string | undefined,
  request: { operation: "startProject" | "stopProject" | "restartProject"; goal: "running" | "stopped" },
): Promise<number> {
  const { output, messages, signal, clock } = context;
  const connection = await context.connect();
  const { client } = connection;
  const id = await getProjectId(context, connection, given);
  const asked = await client[request.operation]({ id }, { signal });
  output.progress(messages.isNow(asked.project.name, messages.status[asked.project.status]));
  const nudge = new Nudge();
  const settling = new Settling(clock, (afterMs) => nudge.ringAfter(afterMs));
  const isDone = (now: Project) => (request.goal === "running" ? settling.isDone(now) : isOff(now));
  const project = await watchProject(context, { client, projectId: id, deadlineMs, nudge, isDone });
  output.json({ project });
  const outcome = outcomeOf(project);
  const endedByItself = request.goal === "running" && outcome === "stopped" && project.lastExit?.code === 0;
  const isAsAsked = request.goal === "stopped" ? isOff(project) : outcome === "running";
  if (isAsAsked || endedByItself) {
    tellSuccess(context, project, request.goal === "running");
    return exitCodes.ok;
  }
  for (const line of formatProject(context, project)) output.line(line);
  output.note(messages.readLogs);
  return exitCodes.failure;
}

/** Stopped, or given up: nothing runs and nothing will by itself. */
function isOff({ status }: Project): boolean {
  return status === "stopped" || status === "error" || status === "crash_loop";
}
