import { planNames, type PlanChange } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { printable } from "../../show/printable.ts";
import type { Messages } from "../../messages.ts";
import { readChoice } from "../../command-line/parse-arguments.ts";
import { connectForAccount } from "./find-account.ts";

/** `tijolo cluster account plan`: in effect at once, without a restart; says what does not fit any more. */
export const accountPlan = defineCommand({
  name: "cluster account plan",
  argument: "account plan",
  takesEachWord: true,
  options: {},
  examples: [
    "tijolo cluster account plan ana@example.com Stack",
    "tijolo cluster account plan 01K… Free --json",
  ],
  async run(context, { words }) {
    const { messages, output, signal } = context;
    const [given, wanted] = words;
    const plan = readChoice(wanted, messages.cluster.plan, planNames, messages);
    if (given !== undefined && plan === undefined)
      throw new UsageError(messages.usage.missing(messages.cluster.plan));
    const { client, account } = await connectForAccount(context, given);
    const change = await client.changePlan(
      { accountId: account.id, body: { plan: plan ?? account.plan } },
      { signal },
    );
    output.json(change);
    for (const line of describe(change, messages)) output.line(line);
    return exitCodes.ok;
  },
});

function describe({ account, before, excess, belowMinimum }: PlanChange, { cluster }: Messages): string[] {
  const name = printable(account.name);
  if (before === account.plan) return [cluster.planIsAlready(name, account.plan)];
  return [
    cluster.planChanged(name, before, account.plan),
    ...(excess.length === 0
      ? []
      : [cluster.doesNotFit, ...excess.map(({ of, used, limit }) => `  ${cluster.excess[of](used, limit)}`)]),
    ...(belowMinimum.length === 0 ? [] : [cluster.belowMinimum]),
    ...belowMinimum.map(
      ({ id, name, memoryMb, minimumMb }) => `  ${printable(name)} (${id}): ${memoryMb} → ${minimumMb} MB`,
    ),
  ];
}
