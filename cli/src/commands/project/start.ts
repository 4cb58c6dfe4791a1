import { defineCommand, projectOption } from "../../command.ts";
import { controlProject } from "../../project/control-project.ts";
import { readProject } from "../../project/named-project.ts";

/** `tijolo start`. */
export const projectStart = defineCommand({
  name: "start",
  argument: "id|name|folder",
  options: { project: projectOption },
  examples: ["tijolo start", "tijolo start meu-bot"],
  run: (context, input) =>
    controlProject(context, readProject(input, context.messages), {
      operation: "startProject",
      goal: "running",
    }),
});
