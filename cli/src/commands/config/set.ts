import { defineCommand, projectOption, restartOption } from "../../command.ts";
import { UsageError } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { finishChange } from "../../project/finish-change.ts";
import { getKeyValue } from "../../command-line/key-value.ts";
import { splitProject } from "../../project/named-project.ts";
import { checkSettingName, isNearSetting, readSetting } from "../../settings/read-setting.ts";
import { settingsOf } from "../../settings/settings-of.ts";

/** `tijolo config set`: changes settings. The server judges the values, and names the field that is wrong. */
export const configSet = defineCommand({
  name: "config set",
  argument: "field=value",
  takesMany: true,
  takesProject: true,
  options: { project: projectOption, restart: restartOption },
  examples: [
    "tijolo config set memoryMb=512 command='node x.js'",
    "tijolo config set meu-bot version=24 installCommand=null --restart",
    "tijolo config set systemPackages=git,curl",
  ],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { given, words } = splitProject(input, (word) => word.includes("=") || isNearSetting(word));
    if (words.length === 0)
      throw new UsageError(messages.usage.missing(messages.help.placeholders["field=value"]));
    const pairs = words.map((word) => getKeyValue(word, messages));
    for (const { name } of pairs) checkSettingName(name, messages);
    const body = Object.fromEntries(pairs.map(({ name, value }) => [name, readSetting(name, value)]));
    const connection = await connectProject(context, given);
    const { project, isRestartRequired } = await connection.client.updateProject(
      { id: connection.projectId, body },
      { signal },
    );
    output.line(messages.settings.settingsSet(Object.keys(body).join(", ")));
    const document = { settings: settingsOf(project) };
    return await finishChange(context, connection, {
      isRestartRequired,
      wantsRestart: input.options.restart,
      document,
    });
  },
});
