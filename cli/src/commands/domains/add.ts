import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { showDomain } from "../../show/show-domain.ts";
import { readDomain } from "./read-domain.ts";

/** `tijolo domains add`: gives a site a domain of its own. */
export const domainAdd = defineCommand({
  name: "domains add",
  argument: "domain",
  takesMany: true,
  takesProject: true,
  options: {
    project: projectOption,
    "redirect-to": { type: "string", value: "DOMAIN", summary: "redirectTo" },
  },
  examples: [
    "tijolo domains add www.exemplo.com.br",
    "tijolo domains add minha-loja exemplo.com.br --redirect-to www.exemplo.com.br",
  ],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { client, projectId, hostname } = await readDomain(context, input);
    const redirectTo = input.options["redirect-to"];
    const body = redirectTo === undefined ? { hostname } : { hostname, redirectTo };
    const { domain } = await client.addDomain({ id: projectId, body }, { signal });
    output.json({ domain });
    showDomain(context, domain);
    output.note(messages.domain.added);
    return exitCodes.ok;
  },
});
