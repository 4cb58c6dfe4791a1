import type { Assignment } from "@tijolo/protocol";

/** Format of the key; raised when an earlier agent's install is not what this one would start from. */
const format = 2;

/** Returns the same text for settings that lead to the same install. */
export function installKey({ settings }: Pick<Assignment, "settings">): string {
  const { language, version, installCommand, systemPackages, entry, root } = settings;
  const isBuilt = (language === "go" || language === "dotnet") && installCommand === null && entry !== null;
  return JSON.stringify([
    format,
    language,
    version,
    installCommand,
    systemPackages,
    ...(isBuilt ? [entry] : []),
    // What is served is made ready at the install.
    ...(language === "static" ? [root] : []),
  ]);
}
