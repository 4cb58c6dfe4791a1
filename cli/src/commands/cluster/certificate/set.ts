import { defineCommand } from "../../../command.ts";
import { exitCodes, UsageError } from "../../../command-failure.ts";
import { readGivenFile } from "../../../given-file.ts";
import { formatTime } from "../../../show/format.ts";

/** `tijolo cluster certificate set`: an operator's own certificate, for the names that it states. */
export const certificateSet = defineCommand({
  name: "cluster certificate set",
  options: {
    certificate: { type: "string", value: "FILE", summary: "certificateFile" },
    key: { type: "string", value: "FILE", summary: "keyFile" },
  },
  examples: ["tijolo cluster certificate set --certificate chain.pem --key key.pem"],
  async run(context, { options }) {
    const { messages, output, signal } = context;
    const { certificate: certificateFile, key: keyFile } = options;
    if (certificateFile === undefined) throw new UsageError(messages.usage.missing("--certificate"));
    if (keyFile === undefined) throw new UsageError(messages.usage.missing("--key"));
    const body = {
      certificate: await readGivenFile(certificateFile, messages),
      privateKey: await readGivenFile(keyFile, messages),
    };
    const { client } = await context.connectOperator();
    const { certificate } = await client.setCertificate({ body }, { signal });
    output.json({ certificate });
    const until = formatTime(Date.parse(certificate.expiresAt), messages.locale);
    output.line(messages.certificate.set(certificate.names.join(", "), until));
    return exitCodes.ok;
  },
});
