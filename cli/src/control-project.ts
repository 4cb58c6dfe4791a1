/** Start, stop and restart: asks, waits until it is so, and says how it ended. */

import type { Project } from "@tijolo/protocol";
import type { CommandContext } from "./command-context.ts";
import { exitCodes } from "./command-failure.ts";
import { getProjectId } from "./find-project.ts";
import { formatProject, formatStatus } from "./show-project.ts";
import { watchProject } from "./watch-project.ts";

const deadlineMs = 2 * 60_000;

/** `goal` is the state that counts as success. Resolves with the exit code. */
export async function controlProject(
  context: CommandContext,
  given: string | undefined,
  request: { operation: "startProject" | "stopProject" | "restartProject"; goal: "running" | "stopped" },
): Promise<number> {
  const { output, messages, signal } = context;
  const connection = await context.connect();
  const { client } = connection;
  const id = await getProjectId(context, connection, given);
  const asked = await client[request.operation]({ id }, { signal });
  output.progress(messages.isNow(asked.project.name, messages.status[asked.project.status]));
  const project = await watchProject(context, { client, projectId: id, deadlineMs, isDone: (now) => isSettled(now, request.goal) });
  output.json({ project });
  const endedByItself = request.goal === "running" && project.status === "stopped";
  if (endedByItself && project.lastExit?.code === 0) {
    output.line(messages.endedByItself(project.name));
    return exitCodes.ok;
  }
  if (project.status === request.goal) {
    output.line(messages.isNow(project.name, formatStatus(context, project.status)));
    if (project.status === "running" && project.url !== null) output.line(messages.runsAt(project.url));
    return exitCodes.ok;
  }
  for (const line of formatProject(context, project)) output.line(line);
  output.note(messages.readLogs);
  return exitCodes.failure;
}

/** No more change is to come by itself. A stop passes through `running`, which a start ends with. */
function isSettled({ status }: Project, goal: "running" | "stopped"): boolean {
  if (status === goal) return true;
  return goal === "running" && (status === "stopped" || status === "error" || status === "crash_loop");
}
