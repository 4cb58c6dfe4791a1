import { defineCommand, projectOption } from "../../command.ts";
import { CommandFailure, exitCodes } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { readProject } from "../../project/named-project.ts";

/** `tijolo open`: the site's address, and on a terminal the browser. */
export const projectOpen = defineCommand({
  name: "open",
  argument: "id|name|folder",
  options: { project: projectOption, browser: { type: "boolean", summary: "browser" } },
  examples: ["tijolo open", "tijolo open meu-site --no-browser"],
  async run(context, input) {
    const { output, messages } = context;
    const { client, projectId } = await connectProject(context, readProject(input, messages));
    const { project } = await client.getProject({ id: projectId }, { signal: context.signal });
    if (project.url === null) throw new CommandFailure(messages.errors.notSite);
    output.json({ url: project.url });
    output.line(project.url);
    const opensBrowser = input.options.browser ?? (output.isTerminal && !output.isJson);
    if (!opensBrowser) return exitCodes.ok;
    // Where browsers may not know the cluster's own authority yet, HTTP is there beside it.
    const { plainSiteUrlPattern } = await client.getService({}, { signal: context.signal });
    await context.openBrowser(plainSiteUrlPattern?.replace("*", project.subdomain ?? "") ?? project.url);
    return exitCodes.ok;
  },
});
