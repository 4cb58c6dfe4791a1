import type { AccountSummary, Client } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import type { CommandContext } from "../../command-context.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatTable, formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";

/** `tijolo cluster account list`: every account with its plan, how it stands and what it uses. */
export const accountList = defineCommand({
  name: "cluster account list",
  options: {},
  examples: ["tijolo cluster account list", "tijolo cluster account list --json"],
  async run(context) {
    const { output, messages } = context;
    const { client } = await context.connectOperator();
    const accounts = await everyAccount(client, context.signal);
    output.json({ accounts });
    if (accounts.length === 0) {
      output.line(messages.cluster.noAccounts);
      return exitCodes.ok;
    }
    const { fields, account } = messages;
    const head = [
      fields.name,
      fields.plan,
      fields.state,
      `${fields.memory} (MB)`,
      fields.projects,
      account.sites,
      account.domains,
      fields.id,
    ];
    for (const line of formatTable([head, ...accounts.map((found) => rowOf(found, context))]))
      output.line(line);
    return exitCodes.ok;
  },
});

async function everyAccount(client: Client, signal: AbortSignal): Promise<AccountSummary[]> {
  const found: AccountSummary[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await client.listAccounts({ query: { limit: 200, cursor } }, { signal });
    found.push(...page.accounts);
    cursor = page.nextCursor;
  }
  return found;
}

function rowOf(account: AccountSummary, context: CommandContext): string[] {
  const quotas = [account.memoryMb, account.projects, account.sites, account.domains].map(
    ({ used, limit }) => `${used}/${limit}`,
  );
  return [printable(account.name), account.plan, standingOf(account, context), ...quotas, account.id];
}

function standingOf(
  { suspendedAt, stopsAt, betaEndsAt }: AccountSummary,
  { messages, clock }: CommandContext,
): string {
  const { standing } = messages.cluster;
  const time = (atMs: number) => formatTime(atMs, messages.locale);
  if (suspendedAt !== null) {
    const stopsAtMs = Date.parse(stopsAt ?? suspendedAt);
    return stopsAtMs > clock.now() ? standing.suspended(time(stopsAtMs)) : standing.stopped(time(stopsAtMs));
  }
  return betaEndsAt === null ? standing.good : standing.betaEnds(time(Date.parse(betaEndsAt)));
}
