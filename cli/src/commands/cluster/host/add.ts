import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { showInstallLine } from "../install-line.ts";
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
    if (install !== null) {
      showInstallLine(context, { token, expiresAt, centralUrl: url, install });
      return exitCodes.ok;
    }
    const command = [
      "  (umask 077; cat > /root/tijolo-join-token)",
      `  TIJOLO_CENTRAL_URL=${url} TIJOLO_JOIN_TOKEN_FILE=/root/tijolo-join-token node cli/bootstrap/run.mjs agent`,
    ].join("\n");
    context.output.json({ token, expiresAt, centralUrl: url, install });
    context.output.line(`${context.messages.cluster.joinToken(expiresAt)}\n\n  ${token}\n`);
    context.output.line(context.messages.cluster.joinSteps(command));
    return exitCodes.ok;
  },
});
