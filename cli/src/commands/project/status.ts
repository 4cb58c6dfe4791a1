import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { getProjectId } from "../../find-project.ts";
import { formatProject } from "../../show-project.ts";

/** `tijolo status`. */
export const projectStatus = defineCommand({
  name: "status",
  argument: "id|nome|pasta",
  options: {},
  examples: ["tijolo status", "tijolo status meu-bot", "tijolo status ./site --json"],
  async run(context, { argument }) {
    const connection = await context.connect();
    const id = await getProjectId(context, connection, argument);
    const { project } = await connection.client.getProject({ id }, { signal: context.signal });
    context.output.json({ project });
    for (const line of formatProject(context, project)) context.output.line(line);
    return exitCodes.ok;
  },
});
