import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { readPage } from "./read-page.ts";

/** `tijolo site pages remove`: visitors see the service's page again. */
export const sitePageRemove = defineCommand({
  name: "site pages remove",
  argument: "page",
  takesEachWord: true,
  takesProject: true,
  options: { project: projectOption },
  examples: ["tijolo site pages remove 503", "tijolo site pages remove minha-loja maintenance"],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { given, status, rest } = readPage(input, messages);
    if (rest[0] !== undefined) throw new UsageError(messages.usage.tooMany(rest[0]));
    const { client, projectId } = await connectProject(context, given);
    await client.removeSitePage({ id: projectId, status }, { signal });
    output.json({ removed: status });
    output.line(messages.project.sitePageRemoved(status));
    return exitCodes.ok;
  },
});
