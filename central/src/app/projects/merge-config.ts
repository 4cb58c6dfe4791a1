/** Merges configurations of a project, as an upload's form over its `svc.json`. */

import { isBuilt, type ProjectConfig } from "@tijolo/protocol";

/** Merges configurations; later ones win field by field. */
export function mergeConfig(...configs: ProjectConfig[]): ProjectConfig {
  const merged: ProjectConfig = Object.assign({}, ...configs);
  // A new entry without a command replaces a command that came from an earlier configuration.
  const last = configs.findLast((config) => hasEntry(config) || hasCommand(config));
  if (last !== undefined && !hasCommand(last)) delete merged.command;
  if (last !== undefined && !hasEntry(last) && !isBuilt(merged.language, merged.entry ?? ""))
    delete merged.entry;
  return merged;
}

/** True for an entry; an empty one is none. */
function hasEntry({ entry = "" }: ProjectConfig): boolean {
  return entry !== "";
}

/** True for a command; an empty one means: run the entry file. */
function hasCommand({ command }: ProjectConfig): boolean {
  return command !== undefined && command.trim() !== "";
}
