import type { Version } from "@tijolo/protocol";
import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import type { Messages } from "../../messages.ts";
import { connectProject } from "../../project/find-project.ts";
import { readProject } from "../../project/named-project.ts";
import { formatBytes, formatTable, formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";

/** `tijolo versions`: what was uploaded to a project, by whom, and how each install ended. */
export const projectVersions = defineCommand({
  name: "versions",
  argument: "id|name|folder",
  options: { project: projectOption },
  examples: ["tijolo versions", "tijolo versions meu-bot", "tijolo versions --json"],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { client, projectId } = await connectProject(context, readProject(input, messages));
    const list = await client.listVersions({ id: projectId }, { signal });
    output.json(list);
    for (const line of formatTable(list.versions.map((each) => rowOf(each, messages)))) output.line(line);
    return exitCodes.ok;
  },
});

function rowOf({ number, status, createdAt, by, sizeBytes, error }: Version, messages: Messages): string[] {
  const { account, locale, project } = messages;
  return [
    String(number),
    project.versionStatuses[status],
    formatTime(Date.parse(createdAt), locale),
    `${account.actors[by.kind]} ${printable(by.name)}`.trim(),
    formatBytes(sizeBytes, locale),
    printable(error?.message ?? ""),
  ];
}
