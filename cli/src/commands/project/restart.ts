import { defineCommand } from "../../command.ts";
import { controlProject } from "../../control-project.ts";

/** `tijolo restart`. */
export const projectRestart = defineCommand({
  name: "restart",
  argument: "id|nome|pasta",
  options: {},
  examples: ["tijolo restart", "tijolo restart meu-bot"],
  run: (context, { argument }) => controlProject(context, argument, { operation: "restartProject", goal: "running" }),
});
