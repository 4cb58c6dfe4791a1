import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { readProject } from "../../project/named-project.ts";
import { showDomain } from "../../show/show-domain.ts";

/** `tijolo domains list`: own domains of a site, with what DNS has of them. */
export const domainList = defineCommand({
  name: "domains list",
  argument: "id|name|folder",
  options: { project: projectOption },
  examples: ["tijolo domains list", "tijolo domains list minha-loja", "tijolo domains list --json"],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { client, projectId } = await connectProject(context, readProject(input, messages));
    const { domains } = await client.listDomains({ id: projectId }, { signal });
    output.json({ domains });
    if (domains.length === 0) output.line(messages.domain.none);
    for (const domain of domains) showDomain(context, domain);
    return exitCodes.ok;
  },
});
