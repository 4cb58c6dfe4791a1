import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { confirm } from "../../ask/confirm.ts";
import { readProjectId } from "./read-project-id.ts";

/** `tijolo cluster project delete`: a project of any account. */
export const projectDelete = defineCommand({
  name: "cluster project delete",
  argument: "project",
  options: { yes: { type: "boolean", short: "y", summary: "yes" } },
  examples: ["tijolo cluster project delete 01K…", "tijolo cluster project delete 01K… --yes"],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const texts = messages.cluster;
    const projectId = readProjectId(argument, messages);
    const { client } = await context.connectOperator();
    if (options.yes !== true)
      await confirm(context, texts.sureToDelete(projectId), texts.wouldDelete(projectId));
    await client.deleteProject({ id: projectId }, { signal });
    output.json({ deleted: { id: projectId } });
    output.line(texts.projectDeleted(projectId));
    return exitCodes.ok;
  },
});
