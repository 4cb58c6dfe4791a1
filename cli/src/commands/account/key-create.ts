import { keyLevels, scopes } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { commandScopes } from "../../client/command-scopes.ts";
import { credentialOptions } from "../../panel/ask-credentials.ts";
import { withPanelSession } from "../../panel/with-panel-session.ts";
import { readChoice } from "../../command-line/parse-arguments.ts";

/** `tijolo keys create`: the key is shown this once, or kept for this computer's commands. */
export const keyCreate = defineCommand({
  name: "keys create",
  options: {
    name: { type: "string", value: "NAME", summary: "keyName" },
    level: { type: "string", value: keyLevels.join("|"), summary: "level" },
    scope: { type: "string", value: "SCOPE", summary: "scope", isRepeatable: true },
    save: { type: "boolean", summary: "saveKey" },
    ...credentialOptions,
  },
  examples: [
    "tijolo keys create --name notebook --save",
    "tijolo keys create --name painel --level read --scope account:read --scope activity:read",
    "tijolo keys create --name ci --email ana@example.org --password-stdin < senha.txt",
  ],
  async run(context, { options }) {
    const { output, messages, signal, configuration } = context;
    const level = readChoice(options.level, "--level", keyLevels, messages) ?? "write";
    const given = (options.scope ?? [])
      .map((text) => readChoice(text, "--scope", scopes, messages))
      .filter((scope) => scope !== undefined);
    const isForCommands = options.save === true && options.level === undefined && given.length === 0;
    await withPanelSession(context, options, async ({ client, password, url }) => {
      const body = {
        name: options.name ?? "cli",
        level,
        scopes: isForCommands ? [...commandScopes] : given,
        password,
      };
      const { key, secret } = await client.createKey({ body }, { signal });
      if (options.save === true) await configuration.keep("account", { url, secret });
      output.json({ key, secret });
      if (options.save !== true) output.note(messages.account.keyCreated);
      output.line(options.save === true ? messages.account.keySaved(key.name, url) : secret);
    });
    return exitCodes.ok;
  },
});
