import { ApiError, type Client, type Project } from "@tijolo/protocol";
import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { readProject } from "../../project/named-project.ts";
import { formatProject, type ProjectLimits } from "../../show/show-project.ts";

/** `tijolo status`. */
export const projectStatus = defineCommand({
  name: "status",
  argument: "id|name|folder",
  options: { project: projectOption },
  examples: ["tijolo status", "tijolo status meu-bot", "tijolo status ./site --json"],
  async run(context, input) {
    const { client, projectId } = await connectProject(context, readProject(input, context.messages));
    const { project, isStarting = false } = await client.getProject(
      { id: projectId },
      { signal: context.signal },
    );
    const limits = await findLimits(client, project, context.signal);
    context.output.json({ project, ...(isStarting ? { isStarting } : {}), limits });
    for (const line of formatProject(context, project, { limits, isStarting })) context.output.line(line);
    return exitCodes.ok;
  },
});

/**
 * Returns the limits of a project that runs. Null where they are refused, as to a key that may read no
 * metrics: the project's status is shown all the same.
 */
async function findLimits(
  client: Client,
  project: Project,
  signal: AbortSignal,
): Promise<ProjectLimits | null> {
  if (project.usage === null) return null;
  try {
    const metrics = await client.getMetrics({ id: project.id }, { signal });
    return {
      memoryMb: metrics.memoryLimitMb,
      cpuPercent: metrics.cpuLimitPercent,
      diskMb: metrics.diskLimitMb,
      diskUsedMb: metrics.points.at(-1)?.diskMb ?? null,
    };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
