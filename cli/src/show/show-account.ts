/** Shows the account on a terminal. */

import type { Account } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { formatDuration, formatTable, formatTime } from "./format.ts";
import { printable } from "./printable.ts";

export function formatAccount({ messages, output }: CommandContext, account: Account): string[] {
  const { fields, locale, account: texts } = messages;
  const time = (at: string) => formatTime(Date.parse(at), locale);
  const { perMinute, perDay } = account.requests;
  const rows: (readonly [string, string] | null)[] = [
    [fields.name, printable(account.name)],
    [fields.id, account.id],
    [fields.plan, account.plan],
    [fields.memory, texts.quota(account.memoryMb.used, account.memoryMb.limit, " MB")],
    [fields.projects, texts.quota(account.projects.used, account.projects.limit, "")],
    [texts.sites, texts.quota(account.sites.used, account.sites.limit, "")],
    [texts.domains, texts.quota(account.domains.used, account.domains.limit, "")],
    [
      texts.perMinute,
      texts.requests(perMinute.remaining, perMinute.limit, formatDuration(perMinute.resetSeconds)),
    ],
    [texts.perDay, texts.requests(perDay.remaining, perDay.limit, formatDuration(perDay.resetSeconds))],
    [fields.created, time(account.createdAt)],
    account.suspendedAt === null ? null : [output.style("red", texts.suspended), time(account.suspendedAt)],
    account.stopsAt === null ? null : [output.style("red", texts.stopsAt), time(account.stopsAt)],
    account.betaEndsAt === null ? null : [output.style("yellow", texts.betaEnds), time(account.betaEndsAt)],
  ];
  return formatTable(
    rows.filter((row) => row !== null).map(([name, value]) => [output.style("bold", `${name}:`), value]),
  );
}
