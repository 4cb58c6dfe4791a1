/** What is to be done once per version before it can run: the owner's own install command, or the automatic steps of the language (spec: `installCommand`). */

import type { ProjectSettings } from "@tijolo/protocol";
import { languageRules } from "./language-rules.ts";

/** The files of an upload. Paths are relative to the project's root; a link leads nowhere. */
export interface SourceTree {
  has(path: string): boolean;
  /** The text of a file, of its first 1 MiB; undefined where there is none. */
  read(path: string): string | undefined;
  /** SHA-256 of each whole file, in hex, null where there is none; undefined when together they have more than 16 MiB. */
  digests(paths: readonly string[]): (string | null)[] | undefined;
}

/** One command, run in a container of its own; what it writes under /app becomes a layer. */
export interface InstallStep {
  name: "dependencies" | "build";
  /** Text that `/bin/sh -c` runs in /app. */
  command: string;
  /** The files of the upload that decide its result, by which it is found again; null: it may depend on anything. Only of a first step. */
  inputs: readonly string[] | null;
}

/** In the order in which they are run, each upon the result of the one before it; none: there is nothing to install. */
export function planInstall(settings: ProjectSettings, tree: SourceTree): InstallStep[] {
  const { language, installCommand } = settings;
  if (language === "static") return [];
  if (installCommand !== null) return installCommand.trim() === "" ? [] : [{ name: "build", command: installCommand, inputs: null }];
  return languageRules[language].plan(tree, settings);
}

/** In Portuguese, for the owner: what the automatic install does not do with the files that are there. */
export function installNotes({ language, installCommand }: ProjectSettings, tree: SourceTree): string[] {
  return language === "static" || installCommand !== null ? [] : (languageRules[language].notes?.(tree) ?? []);
}
