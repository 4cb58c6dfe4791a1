import { defineCommand } from "../../../command.ts";
import { showInstallLine } from "../install-line.ts";
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
    if (install !== null) {
      showInstallLine(context, { token, expiresAt, centralUrl: url, install });
      return exitCodes.ok;
    }
    const command = [
      "  (umask 077; cat > /root/tijolo-gateway-token)",
      `  TIJOLO_CENTRAL_URL=${url} TIJOLO_JOIN_TOKEN_FILE=/root/tijolo-gateway-token node cli/bootstrap/run.mjs gateway`,
    ].join("\n");
    context.output.json({ token, expiresAt, centralUrl: url, install });
    context.output.line(`${context.messages.cluster.joinToken(expiresAt)}\n\n  ${token}\n`);
    context.output.line(context.messages.cluster.joinSteps(command));
    return exitCodes.ok;
  },
});
