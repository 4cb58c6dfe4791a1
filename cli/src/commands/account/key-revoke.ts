import type { ApiKey } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { CommandFailure, exitCodes, UsageError } from "../../command-failure.ts";
import type { Messages } from "../../messages.ts";
import { credentialOptions } from "../../panel/ask-credentials.ts";
import { withPanelSession } from "../../panel/with-panel-session.ts";

/** `tijolo keys revoke`: by id, by name, or by the first characters that the list shows. */
export const keyRevoke = defineCommand({
  name: "keys revoke",
  argument: "id|name",
  options: credentialOptions,
  examples: ["tijolo keys revoke notebook", "tijolo keys revoke 01K…"],
  async run(context, { argument, options }) {
    const { output, messages, signal } = context;
    if (argument === undefined)
      throw new UsageError(messages.usage.missing(messages.help.placeholders["id|name"]));
    const revoked = await withPanelSession(context, options, async ({ client }) => {
      const { keys } = await client.listKeys({}, { signal });
      const key = getKey(keys, argument, messages);
      await client.revokeKey({ keyId: key.id }, { signal });
      return key;
    });
    output.json({ revoked });
    output.line(messages.account.keyRevoked(revoked.name));
    return exitCodes.ok;
  },
});

function getKey(keys: readonly ApiKey[], given: string, { errors }: Messages): ApiKey {
  const [key, ...others] = keys.filter(({ id, name, prefix }) =>
    [id, name, prefix, `${prefix}…`].includes(given),
  );
  if (key === undefined) throw new CommandFailure(errors.noSuchKey(given));
  if (others.length > 0) throw new CommandFailure(errors.manyKeys(given));
  return key;
}
