import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatTime } from "../../show/format.ts";

/**
 * `tijolo cluster ca`: prints the authority's certificate, so that it can be written to a file, and beside it
 * how to trust it.
 */
export const clusterAuthority = defineCommand({
  name: "cluster ca",
  options: {},
  examples: ["tijolo cluster ca > tijolo-ca.crt", "tijolo cluster ca --json"],
  async run(context) {
    const { output, messages, signal } = context;
    const texts = messages.certificate;
    const { client } = await context.connectOperator();
    const { authority } = await client.getAuthority({}, { signal });
    output.json({ authority });
    output.line(authority.certificate.trimEnd());
    output.note(texts.authority(authority.name, authority.domains.join(", ")));
    output.note(texts.fingerprint(authority.fingerprint));
    output.note(texts.until(formatTime(Date.parse(authority.expiresAt), messages.locale)));
    for (const line of texts.howToTrust) output.note(line);
    return exitCodes.ok;
  },
});
