import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { formatTime } from "../../../show/format.ts";

/** `tijolo cluster operator link`: a new single-use link for one more owner, when the first one was lost. */
export const operatorLink = defineCommand({
  name: "cluster operator link",
  options: {},
  examples: ["tijolo cluster operator link", "tijolo cluster operator link --json"],
  async run(context) {
    const { messages, output, signal } = context;
    const { client } = await context.connectOperator();
    const { link } = await client.createStartLink({}, { signal });
    output.json({ link });
    output.note(messages.operator.link(formatTime(Date.parse(link.expiresAt), messages.locale)));
    output.line(link.url);
    return exitCodes.ok;
  },
});
