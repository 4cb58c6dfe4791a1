import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatTable, printable } from "../../format.ts";

/** `tijolo cluster account list`. */
export const accountList = defineCommand({
  name: "cluster account list",
  options: {},
  examples: ["tijolo cluster account list", "tijolo cluster account list --json"],
  async run(context) {
    const { output, messages } = context;
    const { admin } = await context.connectAdmin();
    const accounts = await admin.listAccounts.query(undefined, { signal: context.signal });
    output.json({ accounts });
    if (accounts.length === 0) {
      output.line(messages.noAccounts);
      return exitCodes.ok;
    }
    const { fields } = messages;
    const rows = accounts.map((account) => [printable(account.name), account.plan, account.createdAt, account.id]);
    for (const line of formatTable([[fields.name, fields.plan, fields.created, fields.id], ...rows])) output.line(line);
    return exitCodes.ok;
  },
});
