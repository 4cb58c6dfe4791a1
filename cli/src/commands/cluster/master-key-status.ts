import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { showMasterKeys } from "../../show/show-master-keys.ts";

/** `tijolo cluster master-key status`: names, never keys. */
export const masterKeyStatus = defineCommand({
  name: "cluster master-key status",
  options: {},
  examples: ["tijolo cluster master-key status", "tijolo cluster master-key status --json"],
  async run(context) {
    const { client } = await context.connectOperator();
    const status = await client.getMasterKeys({}, { signal: context.signal });
    context.output.json(status);
    showMasterKeys(context, status);
    return exitCodes.ok;
  },
});
