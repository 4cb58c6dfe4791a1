import { defineCommand, projectOption } from "../../command.ts";
import { controlProject } from "../../project/control-project.ts";
import { readProject } from "../../project/named-project.ts";

/** `tijolo restart`. */
export const projectRestart = defineCommand({
  name: "restart",
  argument: "id|name|folder",
  options: { project: projectOption },
  examples: ["tijolo restart", "tijolo restart meu-bot"],
  run: (context, input) =>
    controlProject(context, readProject(input, context.messages), {
      operation: "restartProject",
      goal: "running",
    }),
});
