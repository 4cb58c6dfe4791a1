import type { OperatorSummary } from "@tijolo/protocol";
import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { formatTable, formatTime } from "../../../show/format.ts";
import { printable } from "../../../show/printable.ts";

/** `tijolo cluster operator list`: every operator, token or person, with the role, and until when it works. */
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
    const rows = operators.map((operator) => [
      printable(operator.name),
      operator.role,
      entryOf(operator),
      operator.expiresAt === null ? texts.never : expiryOf(Date.parse(operator.expiresAt)),
      operator.id,
    ]);
    const head = [fields.name, texts.role, texts.entersWith, texts.expires, fields.id];
    for (const line of formatTable([head, ...rows])) output.line(line);
    return exitCodes.ok;

    function entryOf({ email, prefix, hasTwoFactor }: OperatorSummary): string {
      if (email === null) return prefix === "" ? "-" : `${prefix}…`;
      return hasTwoFactor === false ? texts.withoutTwoFactor(printable(email)) : printable(email);
    }

    function expiryOf(atMs: number): string {
      const time = formatTime(atMs, locale);
      return atMs <= clock.now() ? texts.expired(time) : time;
    }
  },
});
