import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatProjects } from "../../show/show-project.ts";

/** `tijolo list`. */
export const projectList = defineCommand({
  name: "list",
  options: {},
  examples: ["tijolo list", "tijolo list --json"],
  async run(context) {
    const { output, messages, signal } = context;
    const { client } = await context.connect();
    const list = await client.listProjects({}, { signal });
    const { projects, startingIds } = list;
    output.json(list);
    if (projects.length === 0) output.line(messages.project.noProjects);
    else for (const line of formatProjects(context, projects, startingIds)) output.line(line);
    return exitCodes.ok;
  },
});
