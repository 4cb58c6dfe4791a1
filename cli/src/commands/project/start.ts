import { defineCommand } from "../../command.ts";
import { controlProject } from "../../control-project.ts";

/** `tijolo start`. */
export const projectStart = defineCommand({
  name: "start",
  argument: "id|nome|pasta",
  options: {},
  examples: ["tijolo start", "tijolo start meu-bot"],
  run: (context, { argument }) => controlProject(context, argument, { operation: "startProject", goal: "running" }),
});
