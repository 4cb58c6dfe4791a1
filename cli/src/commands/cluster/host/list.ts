import type { HostSummary } from "@tijolo/protocol";
import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import type { Messages } from "../../../messages.ts";
import { formatTable } from "../../../show/format.ts";
import { printable } from "../../../show/printable.ts";

/** `tijolo cluster host list`: every machine with its state. */
export const hostList = defineCommand({
  name: "cluster host list",
  options: {},
  examples: ["tijolo cluster host list", "tijolo cluster host list --json"],
  async run(context) {
    const { output, messages } = context;
    const { client } = await context.connectOperator();
    const { hosts } = await client.listHosts({}, { signal: context.signal });
    output.json({ hosts });
    if (hosts.length === 0) output.line(messages.cluster.noHosts);
    const { fields } = messages;
    const rows = hosts.map((host) => [
      printable(host.name),
      messages.cluster.host[host.state],
      String(host.projects),
      memoryOf(host, messages),
      host.lastSeenAt ?? "-",
      printable(host.resources?.operatingSystem ?? "-"),
      host.id,
    ]);
    for (const line of formatTable([
      [fields.name, fields.state, fields.projects, fields.memory, fields.lastSeen, fields.system, fields.id],
      ...rows,
    ])) {
      if (hosts.length > 0) output.line(line);
    }
    return exitCodes.ok;
  },
});

/** Returns what is reserved of what is counted, and what the machine reports where that is more. */
function memoryOf({ reservedMemoryMb, countedMemoryMb, resources }: HostSummary, messages: Messages): string {
  const saysMore = resources !== null && countedMemoryMb !== null && resources.memoryMb > countedMemoryMb;
  return `${reservedMemoryMb}/${countedMemoryMb ?? "-"} MB${saysMore ? ` (${messages.host.says(String(resources.memoryMb))})` : ""}`;
}
