import { defineCommand, projectOption, restartOption } from "../../command.ts";
import { UsageError } from "../../command-failure.ts";
import { readVariables } from "../../environment/read-variables.ts";
import { connectProject } from "../../project/find-project.ts";
import { finishChange } from "../../project/finish-change.ts";
import { splitProjectAndVariables } from "../../project/named-project.ts";

/** `tijolo env set`: sets some variables and leaves the others. */
export const environmentSet = defineCommand({
  name: "env set",
  argument: "NAME=value",
  takesMany: true,
  takesProject: true,
  options: {
    project: projectOption,
    "from-stdin": { type: "boolean", summary: "fromInput" },
    restart: restartOption,
  },
  examples: [
    "tijolo env set NODE_ENV=production LOG_LEVEL=info",
    "tijolo env set TOKEN                              # pergunta, sem mostrar",
    "tijolo env set CHAVE --from-stdin < chave.pem",
    "tijolo env set meu-bot TOKEN=- --restart",
  ],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { options } = input;
    const { given, words } = await splitProjectAndVariables(context, input);
    if (words.length === 0)
      throw new UsageError(messages.usage.missing(messages.help.placeholders["NAME=value"]));
    const values = await readVariables(context, words, { isFromInput: options["from-stdin"] === true });
    const connection = await connectProject(
      context,
      given,
      given === undefined ? undefined : messages.errors.badVariableName(given),
    );
    const { isRestartRequired } = await connection.client.changeVariables(
      { id: connection.projectId, body: { variables: Object.fromEntries(values) } },
      { signal },
    );
    const names = [...values.keys()];
    output.line(messages.settings.variablesSet(names.join(", ")));
    return await finishChange(context, connection, {
      isRestartRequired,
      wantsRestart: options.restart,
      document: { set: names },
    });
  },
});
