import { defineCommand } from "../../../command.ts";
import { exitCodes, UsageError } from "../../../command-failure.ts";
import { printableLine } from "../../../show/printable.ts";
import { memoryOption, readMemory } from "./host-memory.ts";

/**
 * `tijolo cluster host set`: says how much of a machine's memory is counted, as after more was put into it.
 */
export const hostSet = defineCommand({
  name: "cluster host set",
  argument: "machine",
  options: { memory: memoryOption },
  examples: ["tijolo cluster host set host-2 --memory 32768"],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    if (argument === undefined) throw new UsageError(messages.usage.missing(messages.host.machine));
    const memoryMb = readMemory(options.memory, messages);
    if (memoryMb === undefined) throw new UsageError(messages.usage.missing("--memory"));
    const { client } = await context.connectOperator();
    const { host } = await client.updateHost({ host: argument, body: { memoryMb } }, { signal });
    output.json({ host });
    output.line(messages.host.memorySet(printableLine(host.name), memoryMb.toLocaleString(messages.locale)));
    return exitCodes.ok;
  },
});
