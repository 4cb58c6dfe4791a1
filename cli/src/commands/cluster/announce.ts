import { exitCodes, UsageError } from "../../command-failure.ts";
import { defineCommand } from "../../command.ts";

/** `tijolo cluster announce`: a notice to all accounts, or to those with projects on a machine. */
export const clusterAnnounce = defineCommand({
  name: "cluster announce",
  argument: "text",
  options: { host: { type: "string", value: "HOST", summary: "announceHost" } },
  examples: [
    'tijolo cluster announce "Rede: hoje, 22h."',
    'tijolo cluster announce --host host-2 "host-2: 22h, 10 min."',
  ],
  async run(context, { argument, options }) {
    const { output, messages, signal } = context;
    if (!argument) throw new UsageError(messages.usage.missing(messages.notice.text));
    const { client } = await context.connectOperator();
    const body = { text: argument, ...(options.host === undefined ? {} : { host: options.host }) };
    const answer = await client.announce({ body }, { signal });
    output.json(answer);
    output.line(messages.notice.announced(answer.announcement.id));
    return exitCodes.ok;
  },
});
