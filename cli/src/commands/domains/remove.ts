import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { printable } from "../../show/printable.ts";
import { readDomain } from "./read-domain.ts";

/** `tijolo domains remove`: takes a domain from a site. */
export const domainRemove = defineCommand({
  name: "domains remove",
  argument: "domain",
  takesMany: true,
  takesProject: true,
  options: { project: projectOption },
  examples: [
    "tijolo domains remove www.exemplo.com.br",
    "tijolo domains remove minha-loja www.exemplo.com.br",
  ],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { client, projectId, hostname } = await readDomain(context, input);
    await client.removeDomain({ id: projectId, hostname }, { signal });
    output.json({ removed: hostname });
    output.line(messages.domain.removed(printable(hostname)));
    return exitCodes.ok;
  },
});
