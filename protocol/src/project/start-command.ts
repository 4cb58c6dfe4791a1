/**
 * Derives a start command from the entry file and the entry file from a start command (spec: "Language
 * behaviour", "entry and command relation").
 */

import { isLanguage, type Language } from "../nouns/language.ts";
import { isBuilt } from "./built-entry.ts";
import { entryFile, type ProjectConfig } from "./project-config.ts";
import type { Project } from "../nouns/project.ts";
import { readShellWord, shellWord } from "../values/shell-word.ts";

/** Command of the service's own PHP server, which starts a PHP site; before the file that opens it. */
export const phpServer = "php-server";

/** File that the build of a Go project makes, relative to the project's root. */
export const goProgram = "out/app";

/** File that a .NET project is published as, relative to its root. */
export const dotnetProgram = "out/app.dll";

/** The fields that decide, beside entry and command, how a project is started. */
export interface ProjectKind {
  language: Language;
  type: Project["type"];
}

/** Commands that stand before an entry file and only run it. */
const runners: Record<Language, readonly string[]> = {
  node: ["node", "tsx"],
  python: ["python"],
  java: ["java -jar"],
  go: [],
  php: ["php", phpServer],
  ruby: ["ruby"],
  dotnet: ["dotnet"],
  elixir: ["mix run --no-halt"],
  static: [],
};

/**
 * Returns the command that an entry stands for, which {@link entryOfCommand} reads back; with null, the
 * service's own start of such a project. Null: it has none, and needs an entry or a command.
 */
export function startCommand(kind: ProjectKind, entry: string | null): string | null {
  const { language } = kind;
  if (language === "static") return "";
  if (language === "go") return `./${goProgram}`;
  if (language === "dotnet")
    return `dotnet ${shellWord(entry === null || isBuilt(language, entry) ? dotnetProgram : entry)}`;
  const runner = runnerOf(kind, entry ?? "");
  if (entry !== null) return `${runner} ${shellWord(entry)}`;
  return runner === phpServer || language === "elixir" ? runner : null;
}

function runnerOf({ language, type }: ProjectKind, entry: string): string {
  if (language === "node") return /\.[cm]?tsx?$/.test(entry) ? "tsx" : "node";
  if (language === "php") return type === "site" ? phpServer : "php";
  return runners[language][0] ?? "";
}

/**
 * Returns the entry file that a start command runs, if it does nothing else; null for a custom command (`npm
 * start`).
 */
export function entryOfCommand(language: Language, command: string): string | null {
  for (const runner of runners[language]) {
    const entry = command.startsWith(`${runner} `)
      ? readShellWord(command.slice(runner.length + 1))
      : undefined;
    if (entry !== undefined && entryFile.safeParse(entry).success && !isBuilt(language, entry)) return entry;
  }
  return null;
}

/** True when a project of this kind has a start command without naming one or an entry. */
export function runsByItself({ language, type = "bot" }: Pick<ProjectConfig, "language" | "type">): boolean {
  return language !== undefined && isLanguage(language) && startCommand({ language, type }, null) !== null;
}
