import type { ReplacedFiles } from "@tijolo/protocol";
import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import type { Messages } from "../../messages.ts";
import { connectProject } from "../../project/find-project.ts";
import { readProject } from "../../project/named-project.ts";
import { formatBytes, formatTable, formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";

/** `tijolo replaced list`: files that the program had changed, and that uploads replaced. */
export const replacedList = defineCommand({
  name: "replaced list",
  argument: "id|name|folder",
  options: { project: projectOption },
  examples: ["tijolo replaced list", "tijolo replaced list meu-bot", "tijolo replaced list --json"],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { client, projectId } = await connectProject(context, readProject(input, messages));
    const list = await client.listReplacedFiles({ id: projectId }, { signal });
    output.json(list);
    if (list.replaced.length === 0) output.line(messages.project.noReplaced);
    for (const set of list.replaced) {
      for (const line of formatTable([headingOf(set, messages)])) output.line(line);
      for (const path of set.paths) output.line(`  ${printable(path)}`);
      if (set.count > set.paths.length)
        output.line(`  ${messages.project.andMore(set.count - set.paths.length)}`);
    }
    return exitCodes.ok;
  },
});

function headingOf(
  { version, keptAt, keptUntil, sizeBytes, isRestoring }: ReplacedFiles,
  { locale, project }: Messages,
): string[] {
  return [
    String(version),
    formatTime(Date.parse(keptAt), locale),
    formatBytes(sizeBytes, locale),
    isRestoring ? project.comesBack : project.keptUntil(formatTime(Date.parse(keptUntil), locale)),
  ];
}
