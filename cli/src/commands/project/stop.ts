import { defineCommand } from "../../command.ts";
import { controlProject } from "../../control-project.ts";

/** `tijolo stop`. */
export const projectStop = defineCommand({
  name: "stop",
  argument: "id|nome|pasta",
  options: {},
  examples: ["tijolo stop", "tijolo stop meu-bot"],
  run: (context, { argument }) => controlProject(context, argument, { operation: "stopProject", goal: "stopped" }),
});
