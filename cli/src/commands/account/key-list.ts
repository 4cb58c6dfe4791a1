import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatTable, formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";
import { credentialOptions } from "../../panel/ask-credentials.ts";
import { withPanelSession } from "../../panel/with-panel-session.ts";

/** `tijolo keys list`. */
export const keyList = defineCommand({
  name: "keys list",
  options: credentialOptions,
  examples: [
    "tijolo keys list",
    "tijolo keys list --email ana@example.org --password-stdin --json < senha.txt",
  ],
  async run(context, { options }) {
    const { output, messages, signal } = context;
    const { keys } = await withPanelSession(context, options, ({ client }) =>
      client.listKeys({}, { signal }),
    );
    output.json({ keys });
    if (keys.length === 0) {
      output.line(messages.account.noKeys);
      return exitCodes.ok;
    }
    const { fields, account, locale } = messages;
    const rows = keys.map((key) => [
      printable(key.name),
      `${key.prefix}…`,
      account.levels[key.level],
      key.lastUsedAt === null ? account.neverUsed : formatTime(Date.parse(key.lastUsedAt), locale),
      key.id,
    ]);
    const [heading = "", ...lines] = formatTable([
      [fields.name, account.prefix, account.levelTitle, account.lastUse, fields.id],
      ...rows,
    ]);
    for (const line of [output.style("bold", heading), ...lines]) output.line(line);
    return exitCodes.ok;
  },
});
