/** Merges configurations of a project, as an upload's form over its `svc.json`. */

import { isBuilt, type ConfigChange, type ConfigField, type ProjectConfig } from "@tijolo/protocol";

/** Merges configurations; later ones win field by field. */
export function mergeConfig<Config extends ConfigChange>(...configs: Config[]): Config {
  const merged: Config = Object.assign({}, ...configs);
  // A new entry without a command replaces a command that came from an earlier configuration.
  const last = configs.findLast((config) => hasEntry(config) || hasCommand(config));
  if (last !== undefined && !hasCommand(last)) delete merged.command;
  if (last !== undefined && !hasEntry(last) && !isBuilt(merged.language, merged.entry ?? ""))
    delete merged.entry;
  return merged;
}

/**
 * Separates the fields that a change sets from those that it resets to their default. A null entry or command
 * is an empty text: it takes the old start away, and the new start comes from the other of the two.
 */
export function splitChange({ entry, command, ...change }: ConfigChange): {
  config: ProjectConfig;
  resets: ConfigField[];
} {
  const names = Object.keys(change) as (keyof typeof change)[];
  const set = names.filter((name) => change[name] !== null && change[name] !== undefined);
  const config: ProjectConfig = {
    ...(Object.fromEntries(set.map((name) => [name, change[name]])) as ProjectConfig),
    ...(entry === undefined ? {} : { entry: entry ?? "" }),
    ...(command === undefined ? {} : { command: command ?? "" }),
  };
  return { config, resets: names.filter((name) => change[name] === null) };
}

/** True for an entry; an empty one is none. */
export function hasEntry({ entry }: ConfigChange): boolean {
  return (entry ?? "") !== "";
}

/** True for a command; an empty one means: run the entry file. */
export function hasCommand({ command }: ConfigChange): boolean {
  return (command ?? "").trim() !== "";
}
