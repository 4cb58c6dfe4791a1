import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { readGivenFile } from "../../given-file.ts";
import { printable } from "../../show/printable.ts";
import { showDomain } from "../../show/show-domain.ts";
import { readDomain } from "./read-domain.ts";

/** `tijolo domains certificate`: a certificate of one's own for a domain, or the end of it. */
export const domainCertificate = defineCommand({
  name: "domains certificate",
  argument: "domain",
  takesMany: true,
  takesProject: true,
  options: {
    certificate: { type: "string", value: "FILE", summary: "certificateFile" },
    key: { type: "string", value: "FILE", summary: "keyFile" },
    remove: { type: "boolean", summary: "removeCertificate" },
    project: projectOption,
  },
  examples: [
    "tijolo domains certificate www.exemplo.com.br --certificate chain.pem --key key.pem",
    "tijolo domains certificate minha-loja www.exemplo.com.br --remove",
  ],
  async run(context, input) {
    const { messages, output, signal } = context;
    const { certificate, key, remove = false } = input.options;
    const isGiven = certificate !== undefined && key !== undefined;
    if (isGiven === remove || (remove && (certificate ?? key) !== undefined))
      throw new UsageError(messages.domain.certificateOrRemove);
    const { client, projectId, hostname } = await readDomain(context, input);
    const params = { id: projectId, hostname };
    if (!isGiven) {
      await client.removeDomainCertificate(params, { signal });
      output.json({ removed: hostname });
      output.line(messages.domain.certificateRemoved(printable(hostname)));
      return exitCodes.ok;
    }
    const body = {
      certificate: await readGivenFile(certificate, messages),
      privateKey: await readGivenFile(key, messages),
    };
    const { domain } = await client.setDomainCertificate({ ...params, body }, { signal });
    output.json({ domain });
    showDomain(context, domain);
    return exitCodes.ok;
  },
});
