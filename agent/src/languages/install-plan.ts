/**
 * Plans what must be done once per version before it can run: the owner's own install command, or the
 * automatic steps of the language (spec: `installCommand`).
 */

import { languageVersions, versionWishes, type OwnerMessage, type ProjectSettings } from "@tijolo/protocol";
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

/**
 * Returns messages for the install log: which version the project's files ask for, and what the automatic
 * install does not do with the files that are there.
 */
export function installNotes(settings: ProjectSettings, tree: SourceTree): OwnerMessage[] {
  const { language, installCommand } = settings;
  if (language === "static") return [];
  const notes = installCommand === null ? languageRules[language].notes?.(tree) : undefined;
  return [...versionNotes(settings, tree), ...(notes ?? [])];
}

/** Returns a message for each file that names a version: whether the project runs on that version. */
function versionNotes({ language, version }: ProjectSettings, tree: SourceTree): OwnerMessage[] {
  return versionWishes(language, (name) => tree.read(name)).map(({ file, wanted, versions }) => {
    const note = { language, version, file, wanted };
    return versions.includes(version)
      ? { code: "version_as_wanted", ...note }
      : { code: "version_not_wanted", ...note, versions: [...languageVersions[language]] };
  });
}
