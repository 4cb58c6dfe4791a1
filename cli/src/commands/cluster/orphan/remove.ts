import { confirm } from "../../../ask/confirm.ts";
import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { printable } from "../../../show/printable.ts";
import { readProjectId } from "../read-project-id.ts";

/** `tijolo cluster orphan remove`: its machine frees the disk. */
export const orphanRemove = defineCommand({
  name: "cluster orphan remove",
  argument: "project",
  options: {
    host: { type: "string", value: "HOST", summary: "orphanHost" },
    yes: { type: "boolean", short: "y", summary: "yes" },
  },
  examples: ["tijolo cluster orphan remove 01K…", "tijolo cluster orphan remove 01K… --host host-1 --yes"],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const texts = messages.orphan;
    const projectId = readProjectId(argument, messages);
    const { client } = await context.connectOperator();
    if (options.yes !== true)
      await confirm(context, texts.sureToRemove(projectId), texts.wouldRemove(projectId));
    const { hosts } = await client.removeOrphan({ projectId, query: { host: options.host } }, { signal });
    output.json({ removed: { id: projectId }, hosts });
    output.line(texts.removed(projectId, hosts.map(({ name }) => printable(name)).join(", ")));
    return exitCodes.ok;
  },
});
