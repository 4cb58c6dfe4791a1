import { defineCommand } from "../../../command.ts";
import { showInvitation } from "../invitation.ts";
import { exitCodes } from "../../../command-failure.ts";

/**
 * `tijolo cluster gateway add`: a single-use token, and the command that joins with it. The token stands in no
 * command line.
 */
export const gatewayAdd = defineCommand({
  name: "cluster gateway add",
  options: {},
  examples: ["tijolo cluster gateway add", "tijolo cluster gateway add --json"],
  async run(context) {
    const { client, url } = await context.connectOperator();
    const { token, expiresAt, install } = await client.createGatewayToken({}, { signal: context.signal });
    showInvitation(context, { kind: "gateway", token, expiresAt, centralUrl: url, install });
    return exitCodes.ok;
  },
});
