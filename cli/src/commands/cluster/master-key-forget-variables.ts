import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { confirm } from "../../ask/confirm.ts";
import { printable } from "../../show/printable.ts";
import { readProjectId } from "./read-project-id.ts";

/** `tijolo cluster master-key forget-variables`: for a project whose variables nobody can open any more. */
export const masterKeyForgetVariables = defineCommand({
  name: "cluster master-key forget-variables",
  argument: "project",
  options: { yes: { type: "boolean", short: "y", summary: "yes" } },
  examples: [
    "tijolo cluster master-key forget-variables 01K…",
    "tijolo cluster master-key forget-variables 01K… --yes",
  ],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const texts = messages.masterKey;
    const projectId = readProjectId(argument, messages);
    if (options.yes !== true)
      await confirm(context, texts.sureToForget(projectId), texts.wouldForget(projectId));
    const { client } = await context.connectOperator();
    const forgotten = await client.forgetVariables({ projectId }, { signal });
    output.json(forgotten);
    output.line(texts.forgotten(printable(forgotten.project.name)));
    if (forgotten.isRestartRequired) output.note(texts.runsOn);
    return exitCodes.ok;
  },
});
