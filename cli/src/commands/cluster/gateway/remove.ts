import { defineCommand } from "../../../command.ts";
import { exitCodes, UsageError } from "../../../command-failure.ts";
import { confirm } from "../../../ask/confirm.ts";
import { printable } from "../../../show/printable.ts";

/** `tijolo cluster gateway remove`: takes a gateway out of the cluster for good. */
export const gatewayRemove = defineCommand({
  name: "cluster gateway remove",
  argument: "gateway",
  options: { yes: { type: "boolean", short: "y", summary: "yes" } },
  examples: ["tijolo cluster gateway remove gateway-2", "tijolo cluster gateway remove 01K… --yes --json"],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const texts = messages.gateway;
    if (argument === undefined) throw new UsageError(messages.usage.missing(texts.gateway));
    const { client } = await context.connectOperator();
    const name = printable(argument);
    if (options.yes !== true) await confirm(context, texts.sureToRemove(name), texts.wouldRemove(name));
    await client.removeGateway({ gateway: argument }, { signal });
    output.json({ removed: argument });
    output.line(texts.removed(name));
    return exitCodes.ok;
  },
});
