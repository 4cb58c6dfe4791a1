/**
 * Plans what must be done once per version before it can run: the owner's own install command, or the
 * automatic steps of the language (spec: `installCommand`).
 */

import type { OwnerMessage, ProjectSettings } from "@tijolo/protocol";
import { languageRules } from "./all-languages.ts";
import type { InstallStep, SourceTree } from "./language-rules.ts";

/**
 * Returns the steps in the order in which they run, each upon the result of the one before it; none: there is
 * nothing to install.
 */
export function planInstall(settings: ProjectSettings, tree: SourceTree): InstallStep[] {
  const { language, installCommand } = settings;
  if (language === "static") return [];
  if (installCommand !== null)
    return installCommand.trim() === "" ? [] : [{ name: "build", command: installCommand, inputs: null }];
  return languageRules[language].plan(tree, settings);
}

/** Returns what the automatic install does not do with the files that are there. */
export function installNotes(
  { language, installCommand }: ProjectSettings,
  tree: SourceTree,
): OwnerMessage[] {
  return language === "static" || installCommand !== null
    ? []
    : (languageRules[language].notes?.(tree) ?? []);
}
