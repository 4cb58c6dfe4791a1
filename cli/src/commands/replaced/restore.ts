import { defineCommand, projectOption, restartOption } from "../../command.ts";
import { UsageError } from "../../command-failure.ts";
import { readInteger } from "../../command-line/parse-arguments.ts";
import { connectProject } from "../../project/find-project.ts";
import { finishChange } from "../../project/finish-change.ts";
import { splitProject } from "../../project/named-project.ts";

const largestVersion = 999_999_999;

/** `tijolo replaced restore`: brings files back that a version replaced, at the project's next start. */
export const replacedRestore = defineCommand({
  name: "replaced restore",
  argument: "version",
  takesMany: true,
  takesProject: true,
  options: { project: projectOption, restart: restartOption },
  examples: [
    "tijolo replaced restore 5 --restart",
    "tijolo replaced restore meu-bot 5 data.db --restart",
    "tijolo replaced restore -p meu-bot 5 data",
  ],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { given, words } = splitProject(input, (word) => /^\d+$/.test(word));
    const [number, path, extra] = words;
    if (number === undefined)
      throw new UsageError(messages.usage.missing(messages.help.placeholders.version));
    if (extra !== undefined) throw new UsageError(messages.usage.tooMany(extra));
    const range = { min: 1, max: largestVersion };
    const version = readInteger(number, messages.help.placeholders.version, range, messages) ?? 0;
    const connection = await connectProject(context, given);
    const { isRestartRequired } = await connection.client.restoreReplacedFiles(
      { id: connection.projectId, version, body: path === undefined ? {} : { path } },
      { signal },
    );
    output.line(messages.project.filesComeBack);
    return await finishChange(context, connection, {
      isRestartRequired,
      wantsRestart: input.options.restart,
      document: { version, path: path ?? null },
    });
  },
});
