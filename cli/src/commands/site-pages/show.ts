import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { readPage } from "./read-page.ts";

/** `tijolo site pages show`: the HTML of one of a site's own pages. */
export const sitePageShow = defineCommand({
  name: "site pages show",
  argument: "page",
  takesEachWord: true,
  takesProject: true,
  options: { project: projectOption },
  examples: ["tijolo site pages show 503", "tijolo site pages show minha-loja maintenance > pagina.html"],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { given, status, rest } = readPage(input, messages);
    if (rest[0] !== undefined) throw new UsageError(messages.usage.tooMany(rest[0]));
    const { client, projectId } = await connectProject(context, given);
    const { page } = await client.getSitePage({ id: projectId, status }, { signal });
    output.json({ page });
    for (const line of page.html.replace(/\r?\n$/, "").split(/\r?\n/)) output.line(line);
    return exitCodes.ok;
  },
});
