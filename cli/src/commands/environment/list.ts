import { defineCommand, projectOption } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatVariable } from "@tijolo/protocol/dotenv";
import { connectProject } from "../../project/find-project.ts";
import { printable } from "../../show/printable.ts";
import { readProject } from "../../project/named-project.ts";

/** Text in place of a value; it discloses nothing of it, not even its length. */
const mask = "••••••••";

/** `tijolo env list`: the names, and with `--show` the values. */
export const environmentList = defineCommand({
  name: "env list",
  argument: "id|name|folder",
  options: { show: { type: "boolean", summary: "show" }, project: projectOption },
  examples: ["tijolo env list", "tijolo env list meu-bot --show", "tijolo env list --json"],
  async run(context, input) {
    const { output, messages } = context;
    const { client, projectId } = await connectProject(context, readProject(input, messages));
    const { variables } = await client.listVariables({ id: projectId }, { signal: context.signal });
    const sorted = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
    output.json({
      variables: Object.fromEntries(
        sorted.map(([name, value]) => [name, input.options.show === true ? value : null]),
      ),
    });
    if (sorted.length === 0) output.line(messages.settings.noVariables);
    for (const [name, value] of sorted) {
      output.line(
        input.options.show === true
          ? printable(formatVariable(name, value))
          : `${name}=${output.style("dim", mask)}`,
      );
    }
    if (sorted.length > 0 && input.options.show !== true) output.note(messages.settings.hidden);
    return exitCodes.ok;
  },
});
