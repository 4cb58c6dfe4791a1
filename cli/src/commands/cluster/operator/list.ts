import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { formatTable, formatTime } from "../../../show/format.ts";
import { printable } from "../../../show/printable.ts";

/** `tijolo cluster operator list`: every operator with the role, and until when the token works. */
export const operatorList = defineCommand({
  name: "cluster operator list",
  options: {},
  examples: ["tijolo cluster operator list", "tijolo cluster operator list --json"],
  async run(context) {
    const { messages, output, signal, clock } = context;
    const { fields, locale, operator: texts } = messages;
    const { client } = await context.connectOperator();
    const { operators } = await client.listOperators({}, { signal });
    output.json({ operators });
    const rows = operators.map(({ name, role, prefix, expiresAt, id }) => [
      printable(name),
      role,
      prefix === "" ? "-" : `${prefix}…`,
      expiresAt === null ? texts.never : expiryOf(Date.parse(expiresAt)),
      id,
    ]);
    const head = [fields.name, texts.role, texts.prefix, texts.expires, fields.id];
    for (const line of formatTable([head, ...rows])) output.line(line);
    return exitCodes.ok;

    function expiryOf(atMs: number): string {
      const time = formatTime(atMs, locale);
      return atMs <= clock.now() ? texts.expired(time) : time;
    }
  },
});
