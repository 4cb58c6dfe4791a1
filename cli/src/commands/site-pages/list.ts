import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { readProject } from "../../project/named-project.ts";
import { formatBytes, formatTable, formatTime } from "../../show/format.ts";

/** `tijolo site pages`: pages of its own that a site shows where nothing of it answers. */
export const sitePageList = defineCommand({
  name: "site pages",
  argument: "id|name|folder",
  options: { project: projectOption },
  examples: ["tijolo site pages", "tijolo site pages minha-loja", "tijolo site pages --json"],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { client, projectId } = await connectProject(context, readProject(input, messages));
    const { pages } = await client.listSitePages({ id: projectId }, { signal });
    output.json({ pages });
    if (pages.length === 0) output.line(messages.project.noSitePages);
    const { locale } = messages;
    const rows = pages.map(({ status, sizeBytes, updatedAt }) => [
      output.style("bold", status),
      formatBytes(sizeBytes, locale),
      formatTime(Date.parse(updatedAt), locale),
    ]);
    for (const line of formatTable(rows)) output.line(line);
    return exitCodes.ok;
  },
});
