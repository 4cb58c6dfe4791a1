import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { formatTable } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";
import { splitProject } from "../../project/named-project.ts";
import { checkSettingName, isNearSetting, noSuchSetting } from "../../settings/read-setting.ts";
import { settingsOf } from "../../settings/settings-of.ts";

/** `tijolo config get`: the settings; with names only those, and of one alone just its value. */
export const configGet = defineCommand({
  name: "config get",
  argument: "field",
  takesMany: true,
  takesProject: true,
  options: { project: projectOption },
  examples: [
    "tijolo config get",
    "tijolo config get meu-bot memoryMb",
    "tijolo config get --json > svc.json",
  ],
  async run(context, input) {
    const { output, messages, signal } = context;
    const { given, words } = splitProject(input, isNearSetting);
    for (const name of words) checkSettingName(name, messages);
    const { client, projectId } = await connectProject(
      context,
      given,
      given === undefined ? undefined : noSuchSetting(given, messages),
    );
    const { project } = await client.getProject({ id: projectId }, { signal });
    const settings = Object.entries(settingsOf(project));
    const shown = words.length === 0 ? settings : settings.filter(([name]) => words.includes(name));
    output.json(Object.fromEntries(shown));
    const [only] = shown;
    if (words.length === 1) output.line(only === undefined ? "" : textOf(only[1]));
    else
      for (const line of formatTable(
        shown.map(([name, value]) => [output.style("bold", name), textOf(value)]),
      ))
        output.line(line);
    return exitCodes.ok;
  },
});

/** Returns the value as `config set` takes it. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}
