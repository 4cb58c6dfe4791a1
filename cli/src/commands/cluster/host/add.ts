import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { showInvitation } from "../invitation.ts";
import { memoryOption, readMemory } from "./host-memory.ts";

/**
 * `tijolo cluster host add`: a single-use token, and the command that joins with it. The token stands in no
 * command line.
 */
export const hostAdd = defineCommand({
  name: "cluster host add",
  options: { memory: memoryOption },
  examples: [
    "tijolo cluster host add",
    "tijolo cluster host add --memory 16384",
    "tijolo cluster host add --json",
  ],
  async run(context, { options }) {
    const memoryMb = readMemory(options.memory, context.messages);
    const { client, url } = await context.connectOperator();
    const { token, expiresAt, install } = await client.createJoinToken(
      { body: memoryMb === undefined ? {} : { memoryMb } },
      { signal: context.signal },
    );
    showInvitation(context, { kind: "host", token, expiresAt, centralUrl: url, install });
    return exitCodes.ok;
  },
});
