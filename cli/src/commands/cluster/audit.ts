import { operations, type AuditEntry, type Operation } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { limitOption, readLimit } from "../../command-line/read-limit.ts";
import { exitCodes } from "../../command-failure.ts";
import type { Messages } from "../../messages.ts";
import { formatChange } from "../../show/format-change.ts";
import { formatTable, formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";

/** `tijolo cluster audit`: which operator changed what, from where. */
export const clusterAudit = defineCommand({
  name: "cluster audit",
  options: {
    limit: limitOption,
    cursor: { type: "string", value: "CURSOR", summary: "auditCursor" },
  },
  examples: ["tijolo cluster audit", "tijolo cluster audit -n 100", "tijolo cluster audit --json"],
  async run(context, { options }) {
    const { messages, output, signal } = context;
    const limit = readLimit(options.limit, messages);
    const { client } = await context.connectOperator();
    const page = await client.listAudit({ query: { limit, cursor: options.cursor } }, { signal });
    output.json(page);
    if (page.entries.length === 0) output.line(messages.operator.noAudit);
    for (const line of formatTable(page.entries.map((entry) => rowOf(entry, messages)))) output.line(line);
    if (page.nextCursor !== null) output.note(messages.operator.older(page.nextCursor));
    return exitCodes.ok;
  },
});

function rowOf(entry: AuditEntry, messages: Messages): string[] {
  const { at, operator, address, action, subject } = entry;
  return [
    formatTime(Date.parse(at), messages.locale),
    printable(operator.name),
    address,
    printable(titleOf(action, messages)),
    printable(subject.name ?? subject.id ?? "-"),
    printable(formatChange(entry, messages)),
  ];
}

/** Returns the API description's summary of the operation, in the language of the person. */
function titleOf(action: string, { locale }: Messages): string {
  const operation = Object.entries<Operation>(operations).find(([name]) => name === action)?.[1];
  if (operation === undefined) return action;
  const { summary } = operation;
  return typeof summary === "string" ? summary : summary[locale === "en" ? "en" : "pt"];
}
