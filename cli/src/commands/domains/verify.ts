import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { showDomain } from "../../show/show-domain.ts";
import { readDomain } from "./read-domain.ts";

/** `tijolo domains verify`: checks a domain's DNS now; fails while it is not active. */
export const domainVerify = defineCommand({
  name: "domains verify",
  argument: "domain",
  takesMany: true,
  takesProject: true,
  options: { project: projectOption },
  examples: [
    "tijolo domains verify www.exemplo.com.br",
    "tijolo domains verify minha-loja www.exemplo.com.br",
  ],
  async run(context, input) {
    const { client, projectId, hostname } = await readDomain(context, input);
    const { domain } = await client.verifyDomain({ id: projectId, hostname }, { signal: context.signal });
    context.output.json({ domain });
    showDomain(context, domain);
    return domain.status === "active" ? exitCodes.ok : exitCodes.failure;
  },
});
