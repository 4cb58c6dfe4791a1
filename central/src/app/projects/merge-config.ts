/** Merges configurations of a project, as an upload's form over its `svc.json`. */

import { isBuilt, type ProjectConfig } from "@tijolo/protocol";

/** Later configurations win field by field. */
export function mergeConfig(...configs: ProjectConfig[]): ProjectConfig {
  const merged: ProjectConfig = Object.assign({}, ...configs);
  // A new entry without a command replaces a command that came from an earlier configuration.
  const last = configs.findLast((config) => hasEntry(config) || hasCommand(config));
  if (last !== undefined && !hasCommand(last)) delete merged.command;
  if (last !== undefined && !hasEntry(last) && !isBuilt(merged.language, merged.entry ?? ""))
    delete merged.entry;
  return merged;
}

/** An empty entry is none. */
function hasEntry({ entry = "" }: ProjectConfig): boolean {
  return entry !== "";
}

/** An empty command means: run the entry file. */
function hasCommand({ command }: ProjectConfig): boolean {
  return command !== undefined && command.trim() !== "";
}
