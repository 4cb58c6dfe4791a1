import { defineCommand, projectOption, restartOption } from "../../command.ts";
import { CommandFailure, UsageError } from "../../command-failure.ts";
import { checkVariableName } from "../../environment/check-name.ts";
import { connectProject } from "../../project/find-project.ts";
import { finishChange } from "../../project/finish-change.ts";
import { splitProjectAndVariables } from "../../project/named-project.ts";

/** `tijolo env unset`. A name that is not there is a mistake, and then nothing is removed. */
export const environmentUnset = defineCommand({
  name: "env unset",
  argument: "NAME",
  takesMany: true,
  takesProject: true,
  options: { project: projectOption, restart: restartOption },
  examples: ["tijolo env unset TOKEN", "tijolo env unset meu-bot A B --restart"],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { given, words } = await splitProjectAndVariables(context, input);
    if (words.length === 0) throw new UsageError(messages.usage.missing(messages.help.placeholders.NAME));
    for (const name of words) checkVariableName(name, messages);
    const connection = await connectProject(
      context,
      given,
      given === undefined ? undefined : messages.errors.badVariableName(given),
    );
    const { client, projectId: id } = connection;
    const { variables } = await client.listVariables({ id }, { signal });
    const missing = words.filter((name) => !Object.hasOwn(variables, name));
    if (missing.length > 0) throw new CommandFailure(messages.errors.noSuchVariable(missing.join(", ")));
    const removal = Object.fromEntries(words.map((name) => [name, null]));
    const { isRestartRequired } = await client.changeVariables(
      { id, body: { variables: removal } },
      { signal },
    );
    output.line(messages.settings.variablesRemoved(words.join(", ")));
    return await finishChange(context, connection, {
      isRestartRequired,
      wantsRestart: input.options.restart,
      document: { removed: words },
    });
  },
});
