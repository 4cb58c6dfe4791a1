import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { formatTable } from "../../../show/format.ts";
import { printable } from "../../../show/printable.ts";

/** `tijolo cluster gateway list`: every gateway with its state. */
export const gatewayList = defineCommand({
  name: "cluster gateway list",
  options: {},
  examples: ["tijolo cluster gateway list", "tijolo cluster gateway list --json"],
  async run(context) {
    const { output, messages } = context;
    const { client } = await context.connectOperator();
    const { gateways } = await client.listGateways({}, { signal: context.signal });
    output.json({ gateways });
    if (gateways.length === 0) {
      output.line(messages.gateway.none);
      return exitCodes.ok;
    }
    const { fields } = messages;
    const rows = gateways.map(({ name, state, lastSeenAt, id }) => [
      printable(name),
      messages.gateway.states[state],
      lastSeenAt ?? "-",
      id,
    ]);
    for (const line of formatTable([[fields.name, fields.state, fields.lastSeen, fields.id], ...rows]))
      output.line(line);
    return exitCodes.ok;
  },
});
