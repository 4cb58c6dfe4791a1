import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { confirmByName } from "../../ask/confirm.ts";
import { getProjectId } from "../../project/find-project.ts";
import { printable } from "../../show/printable.ts";
import { readProject } from "../../project/named-project.ts";
import { credentialOptions } from "../../panel/ask-credentials.ts";
import { withPanelSession } from "../../panel/with-panel-session.ts";

/** `tijolo delete`: in a session, as no key may. */
export const projectDelete = defineCommand({
  name: "delete",
  argument: "id|name|folder",
  options: {
    project: projectOption,
    yes: { type: "boolean", short: "y", summary: "yes" },
    ...credentialOptions,
  },
  examples: [
    "tijolo delete meu-bot",
    "tijolo delete meu-bot --yes --email ana@example.org --password-stdin < senha.txt",
  ],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { options } = input;
    const given = readProject(input, messages);
    const deleted = await withPanelSession(context, options, async ({ client, url }) => {
      const { project } = await client.getProject(
        { id: await getProjectId(context, { client, url }, { given }) },
        { signal },
      );
      const { id, name } = project;
      const shown = printable(name);
      const unattended = messages.project.wouldDelete(shown);
      if (options.yes !== true)
        await confirmByName(context, messages.project.nameToDelete(shown), { name: shown, unattended });
      await client.deleteProject({ id }, { signal });
      return { id, name };
    });
    output.json({ deleted });
    output.line(messages.project.deleted(printable(deleted.name)));
    return exitCodes.ok;
  },
});
