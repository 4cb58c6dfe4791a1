import { keyLevels, scopes } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { readChoice } from "../../command-line/parse-arguments.ts";
import { connectForAccount } from "./find-account.ts";

/** `tijolo cluster key create`: the key is shown this once. */
export const keyCreate = defineCommand({
  name: "cluster key create",
  options: {
    account: { type: "string", value: "ACCOUNT", summary: "account" },
    name: { type: "string", value: "NAME", summary: "keyName" },
    level: { type: "string", value: "read|write", summary: "level" },
    scope: { type: "string", value: "SCOPE", summary: "scope", isRepeatable: true },
  },
  examples: [
    "tijolo cluster key create --account ana@example.com --name laptop --level write",
    "tijolo cluster key create --account 01K… --name painel --level read --scope files:read",
  ],
  async run(context, { options }) {
    const { messages, output } = context;
    if (!options.account) throw new UsageError(messages.usage.missing("--account"));
    const given = (options.scope ?? []).map((text) => readChoice(text, "--scope", scopes, messages));
    const grant = {
      name: options.name ?? "cli",
      level: readChoice(options.level, "--level", keyLevels, messages) ?? "write",
      scopes: given.filter((scope) => scope !== undefined),
    };
    const { client, account } = await connectForAccount(context, options.account);
    const { key, secret } = await client.createAccountKey(
      { accountId: account.id, body: grant },
      { signal: context.signal },
    );
    output.json({ key: { id: key.id, key: secret } });
    output.note(messages.account.keyCreated);
    output.line(secret);
    return exitCodes.ok;
  },
});
