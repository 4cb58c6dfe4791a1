import type { Version } from "@tijolo/protocol";
import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import type { Messages } from "../../messages.ts";
import { connectProject } from "../../project/find-project.ts";
import { readProject } from "../../project/named-project.ts";
import { formatBytes, formatTable, formatTime } from "../../show/format.ts";
import { originOf } from "../../show/show-version.ts";
import { printable } from "../../show/printable.ts";

/** `tijolo versions`: lists the versions of a project with their origin, author and outcome. */
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

function rowOf(version: Version, messages: Messages): string[] {
  const { number, status, isServing, createdAt, by, sizeBytes, error } = version;
  const { account, locale, project } = messages;
  const state = project.versionStatuses[status];
  return [
    String(number),
    isServing ? project.serving(state) : state,
    originOf(version, messages),
    formatTime(Date.parse(createdAt), locale),
    `${account.actors[by.kind]} ${printable(by.name)}`.trim(),
    formatBytes(sizeBytes, locale),
    printable(error?.message ?? ""),
  ];
}
