/** Returns the context that a project's variables are sealed with: they open for no other project. */
export function variablesContext(projectId: string): string {
  return `project-variables ${projectId}`;
}
