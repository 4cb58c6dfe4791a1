import type { Assignment } from "@tijolo/protocol";

/** The same text for settings that lead to the same install. */
export function installKey({ settings }: Pick<Assignment, "settings">): string {
  const { language, version, installCommand, systemPackages } = settings;
  return JSON.stringify([language, version, installCommand, systemPackages]);
}
