/** Changes between the variables that a project has and those that it shall have. */

export interface VariablesDifference {
  added: string[];
  changed: string[];
  removed: string[];
}

export function compareVariables(
  current: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
): VariablesDifference {
  const names = [...wanted.keys()].sort();
  return {
    added: names.filter((name) => !current.has(name)),
    changed: names.filter((name) => current.has(name) && current.get(name) !== wanted.get(name)),
    removed: [...current.keys()].filter((name) => !wanted.has(name)).sort(),
  };
}
