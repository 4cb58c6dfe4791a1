import { defineCommand, projectOption } from "../../command.ts";
import { controlProject } from "../../project/control-project.ts";
import { readProject } from "../../project/named-project.ts";

/** `tijolo stop`. */
export const projectStop = defineCommand({
  name: "stop",
  argument: "id|name|folder",
  options: { project: projectOption },
  examples: ["tijolo stop", "tijolo stop meu-bot"],
  run: (context, input) =>
    controlProject(context, readProject(input, context.messages), {
      operation: "stopProject",
      goal: "stopped",
    }),
});
