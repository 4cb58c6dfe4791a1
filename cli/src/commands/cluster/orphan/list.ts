import type { HostOrphans, Orphan } from "@tijolo/protocol";
import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import type { Messages } from "../../../messages.ts";
import { formatTable, formatTime } from "../../../show/format.ts";
import { printable } from "../../../show/printable.ts";

const unknown = "-";

/** `tijolo cluster orphan list`: what machines have and central does not, and what was put back lately. */
export const orphanList = defineCommand({
  name: "cluster orphan list",
  options: { host: { type: "string", value: "HOST", summary: "orphanHost" } },
  examples: ["tijolo cluster orphan list", "tijolo cluster orphan list --host host-1 --json"],
  async run(context, { options }) {
    const { output, messages, signal } = context;
    const { orphan: texts, fields, locale } = messages;
    const { client } = await context.connectOperator();
    const list = await client.listOrphans({ query: { host: options.host } }, { signal });
    output.json(list);
    const rows = list.hosts.flatMap((found) => found.orphans.map((orphan) => rowOf(orphan, found, messages)));
    const { project, account, host, version, state, disk, since } = texts.fields;
    const head = [project, account, host, version, state, disk, since, fields.id, ""];
    if (rows.length === 0) output.line(texts.none);
    else for (const line of [...formatTable([head, ...rows]), "", texts.advice]) output.line(line);
    if (list.restored.length > 0) output.line(`\n${texts.restored}`);
    const restored = list.restored.map(({ at, project: { id, name }, note }) => [
      `  ${formatTime(Date.parse(at), locale)}`,
      printable(name),
      id,
      texts.restoredAs[note],
    ]);
    for (const line of formatTable(restored)) output.line(line);
    const lost = list.hosts.filter(({ isReached }) => !isReached);
    for (const each of lost) output.error(texts.hostLost(printable(each.host.name)));
    return lost.length === 0 ? exitCodes.ok : exitCodes.failure;
  },
});

function rowOf(orphan: Orphan, { host }: HostOrphans, { orphan: texts, locale }: Messages): string[] {
  const { account, unwantedSince } = orphan;
  return [
    printable(orphan.name ?? unknown),
    account === null ? unknown : printable(account.name ?? `${account.id} (${texts.noAccount})`),
    printable(host.name),
    String(orphan.versionNumber ?? unknown),
    orphan.isRunning ? texts.running : texts.stopped,
    String(orphan.diskUsedMb ?? unknown),
    unwantedSince === null ? unknown : formatTime(Date.parse(unwantedSince), locale),
    orphan.id,
    notesOn(orphan, texts.notes).join("; "),
  ];
}

function notesOn(orphan: Orphan, notes: Messages["orphan"]["notes"]): string[] {
  const isFilesOnly = orphan.versionNumber === null;
  return [
    ...(isFilesOnly ? [notes.filesOnly] : []),
    ...(isFilesOnly || orphan.isProven ? [] : [notes.unproven]),
    ...(isFilesOnly || orphan.hasArchive ? [] : [notes.noArchive]),
    ...(orphan.placedOn === null || orphan.heldBack !== null
      ? []
      : [notes.placedOn(printable(orphan.placedOn.name))]),
    ...(orphan.heldBack === null ? [] : [notes.heldBack[orphan.heldBack]]),
  ];
}
