import { planNames } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { readChoice } from "../../command-line/parse-arguments.ts";

/** `tijolo cluster account create`. */
export const accountCreate = defineCommand({
  name: "cluster account create",
  options: {
    name: { type: "string", value: "NAME", summary: "accountName" },
    plan: { type: "string", value: "PLAN", summary: "plan" },
  },
  examples: ["tijolo cluster account create --name Ana --plan Stack"],
  async run(context, { options }) {
    const { messages, output } = context;
    if (!options.name) throw new UsageError(messages.usage.missing("--name"));
    const plan = readChoice(options.plan, "--plan", planNames, messages) ?? "Free";
    const { client } = await context.connectOperator();
    const { account } = await client.createAccount(
      { body: { name: options.name, plan } },
      { signal: context.signal },
    );
    output.json({ account });
    output.line(messages.cluster.accountCreated(account.id));
    return exitCodes.ok;
  },
});
