import { resolve } from "node:path";
import { defineCommand, projectOption } from "../../command.ts";
import { CommandFailure, exitCodes } from "../../command-failure.ts";
import { formatDotenv } from "@tijolo/protocol/dotenv";
import { connectProject } from "../../project/find-project.ts";
import { splitProjectAndFile } from "../../project/named-project.ts";
import { writePrivateFile } from "../../private-file.ts";

/** `tijolo env pull`: the variables as a `.env` file that only its owner reads. */
export const environmentPull = defineCommand({
  name: "env pull",
  argument: "file",
  takesMany: true,
  takesProject: true,
  options: { project: projectOption, force: { type: "boolean", summary: "force" } },
  examples: ["tijolo env pull", "tijolo env pull meu-bot producao.env", "tijolo env pull --force"],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { given, words } = await splitProjectAndFile(context, input);
    const file = resolve(context.workingDirectory, words[0] ?? ".env");
    const { client, projectId } = await connectProject(context, given);
    const { variables } = await client.listVariables({ id: projectId }, { signal });
    const sorted = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
    const isWritten = await writePrivateFile(file, formatDotenv(sorted), {
      mayReplace: input.options.force === true,
    });
    if (!isWritten) throw new CommandFailure(messages.errors.fileExists(file));
    output.json({ file, names: sorted.map(([name]) => name) });
    output.line(messages.settings.pulled(sorted.length, file));
    output.note(messages.settings.keepOutOfGit);
    return exitCodes.ok;
  },
});
