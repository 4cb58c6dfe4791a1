import { defineCommand } from "../../command.ts";
import { CommandFailure, exitCodes } from "../../command-failure.ts";
import { getProjectId } from "../../find-project.ts";

/** `tijolo open`: the site's address, and on a terminal the browser. */
export const projectOpen = defineCommand({
  name: "open",
  argument: "id|nome|pasta",
  options: { browser: { type: "boolean", summary: "browser" } },
  examples: ["tijolo open", "tijolo open meu-site --no-browser"],
  async run(context, { argument, options }) {
    const { output, messages } = context;
    const connection = await context.connect();
    const id = await getProjectId(context, connection, argument);
    const { project } = await connection.client.getProject({ id }, { signal: context.signal });
    if (project.url === null) throw new CommandFailure(messages.errors.notSite);
    output.json({ url: project.url });
    output.line(project.url);
    const opensBrowser = options.browser ?? (output.isTerminal && !output.isJson);
    if (opensBrowser) await context.openBrowser(project.url);
    return exitCodes.ok;
  },
});
