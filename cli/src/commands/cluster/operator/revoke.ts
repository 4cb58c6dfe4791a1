import { id } from "@tijolo/protocol";
import { confirm } from "../../../ask/confirm.ts";
import { defineCommand } from "../../../command.ts";
import { CommandFailure, exitCodes, UsageError } from "../../../command-failure.ts";
import { printable } from "../../../show/printable.ts";

/** `tijolo cluster operator revoke`: the token stops working at once, or the person loses the role. */
export const operatorRevoke = defineCommand({
  name: "cluster operator revoke",
  argument: "id|name|email",
  options: { yes: { type: "boolean", short: "y", summary: "yes" } },
  examples: ["tijolo cluster operator revoke Ana", "tijolo cluster operator revoke 01K… --yes"],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const texts = messages.operator;
    if (argument === undefined) throw new UsageError(messages.usage.missing(texts.idOrName));
    const { client } = await context.connectOperator();
    const { operators } = await client.listOperators({}, { signal });
    const wantedId = id.safeParse(argument.toUpperCase()).data;
    const [operator, ...others] = operators.filter(
      (each) => each.id === wantedId || each.name === argument || each.email === argument.toLowerCase(),
    );
    if (operator === undefined) throw new CommandFailure(texts.noSuch(argument));
    if (others.length > 0)
      throw new CommandFailure(texts.many(argument, [operator, ...others].map((each) => each.id).join(", ")));
    const name = printable(operator.name);
    const { kind } = operator;
    if (options.yes !== true)
      await confirm(context, texts.sureToRevoke(name, kind), texts.wouldRevoke(name, kind));
    await client.revokeOperator({ operatorId: operator.id }, { signal });
    output.json({ revoked: { id: operator.id, name: operator.name } });
    output.line(texts.revoked(name, kind));
    return exitCodes.ok;
  },
});
