/** True when an entry names what the build compiles or publishes; the command stands beside it. */
export function isBuilt(language: string | undefined, entry: string): boolean {
  return language === "go" || (language === "dotnet" && !entry.endsWith(".dll"));
}
