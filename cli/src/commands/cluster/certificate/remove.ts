import { defineCommand } from "../../../command.ts";
import { exitCodes, UsageError } from "../../../command-failure.ts";

/** `tijolo cluster certificate remove`: takes an operator's own certificate out of service. */
export const certificateRemove = defineCommand({
  name: "cluster certificate remove",
  argument: "id",
  options: {},
  examples: ["tijolo cluster certificate remove 01K…"],
  async run(context, { argument }) {
    const { messages, output, signal } = context;
    if (argument === undefined) throw new UsageError(messages.usage.missing(messages.fields.id));
    const { client } = await context.connectOperator();
    await client.removeCertificate({ certificateId: argument }, { signal });
    output.json({ removed: argument });
    output.line(messages.certificate.removed);
    return exitCodes.ok;
  },
});
