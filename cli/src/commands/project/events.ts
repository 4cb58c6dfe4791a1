import type { ProjectEvent } from "@tijolo/protocol";
import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { formatTable, formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";
import { namesOf } from "../../show/show-replaced.ts";
import type { Messages } from "../../messages.ts";
import { readProject } from "../../project/named-project.ts";
import { limitOption, readLimit } from "../../command-line/read-limit.ts";

/** `tijolo events`: what happened to a project, and who caused it. */
export const projectEvents = defineCommand({
  name: "events",
  argument: "id|name|folder",
  options: { project: projectOption, limit: limitOption },
  examples: ["tijolo events", "tijolo events meu-bot -n 50", "tijolo events --json"],
  async run(context, input) {
    const { output, messages, signal } = context;
    const limit = readLimit(input.options.limit, messages);
    const { client, projectId } = await connectProject(context, readProject(input, messages));
    const page = await client.listProjectEvents({ id: projectId, query: { limit } }, { signal });
    output.json(page);
    if (page.events.length === 0) output.line(messages.project.noEvents);
    const rows = page.events.map((event) => [
      formatTime(Date.parse(event.at), messages.locale),
      messages.project.events[event.kind],
      causeOf(event, messages),
    ]);
    for (const line of formatTable(rows)) output.line(line);
    return exitCodes.ok;
  },
});

function causeOf(event: ProjectEvent, { account, project }: Messages): string {
  const { actor, exit, versionNumber, rolledBackFrom, error, replaced, domain } = event;
  const parts = [
    actor === null ? "" : `${account.actors[actor.kind]} ${printable(actor.name)}`.trim(),
    domain === null ? "" : printable(domain),
    versionNumber === null ? "" : project.versionNumber(versionNumber),
    rolledBackFrom === null ? "" : project.rolledBackFrom(rolledBackFrom),
    exit === null ? "" : project.exitCode(exit.code),
    exit?.isOutOfMemory === true ? `(${project.outOfMemory})` : "",
    error === null ? "" : printable(error.message),
    replaced === null ? "" : namesOf(replaced, project.andMore),
  ];
  return parts.filter((part) => part !== "").join(" ");
}
