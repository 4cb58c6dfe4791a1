/** Finds the file or folder without which a project cannot run, so that an upload always has it. */

import { isLanguage } from "../nouns/language.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import { isBuilt } from "../project/built-entry.ts";
import { entryOfCommand } from "../project/start-command.ts";

/** A file or folder that the configuration names, and that has to be in the upload. */
export interface NeededPath {
  setting: "entry" | "root";
  /** Path relative to the folder, without `./` and `/` around it. */
  name: string;
}

/**
 * Returns the file or folder that the project is started or served from; null when the configuration names
 * none, or the whole folder.
 */
export function neededPathOf({ language = "", entry, command, root }: ProjectConfig): NeededPath | null {
  if (!isLanguage(language)) return null;
  if (language === "static") return named("root", root);
  const isOfCommand = (command ?? "").trim() !== "";
  const file = isOfCommand ? entryOfCommand(language, (command ?? "").trim()) : (entry ?? null);
  return file === null || isBuilt(language, file) ? null : named("entry", file);
}

function named(setting: NeededPath["setting"], path: string | undefined): NeededPath | null {
  const name = normalized(path ?? "");
  return name === null || name === "" ? null : { setting, name };
}

/** Returns the path without `.`, empty parts and what `..` takes back; null for one that leads out. */
function normalized(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}
