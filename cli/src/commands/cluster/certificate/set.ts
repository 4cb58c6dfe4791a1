import { readFile } from "node:fs/promises";
import { defineCommand } from "../../../command.ts";
import { CommandFailure, exitCodes, UsageError } from "../../../command-failure.ts";
import type { Messages } from "../../../messages.ts";
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
      certificate: await textOf(certificateFile, messages),
      privateKey: await textOf(keyFile, messages),
    };
    const { client } = await context.connectOperator();
    const { certificate } = await client.setCertificate({ body }, { signal });
    output.json({ certificate });
    const until = formatTime(Date.parse(certificate.expiresAt), messages.locale);
    output.line(messages.certificate.set(certificate.names.join(", "), until));
    return exitCodes.ok;
  },
});

function textOf(file: string, messages: Messages): Promise<string> {
  return readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    const { noFile, fileFailed } = messages.errors;
    throw new CommandFailure(cause.code === "ENOENT" ? noFile(file) : fileFailed(file, cause.message));
  });
}
