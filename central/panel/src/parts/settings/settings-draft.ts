/** The settings of a project as a person edits them, and what of them is sent. Pure. */

import { isBuilt } from "@tijolo/protocol/choices";
import type { CallInput, Project } from "@tijolo/protocol/client";

/** Every field as its input holds it; an empty text stands for what is not set. */
export interface SettingsDraft {
  name: string;
  description: string;
  type: "bot" | "site";
  language: string;
  version: string;
  entry: string;
  command: string;
  installCommand: string;
  root: string;
  spa: boolean;
  memoryMb: number | null;
  port: number | null;
  subdomain: string;
  systemPackages: string;
}

export type SettingName = keyof SettingsDraft;

/** Fields that take effect at once; the others wait for the next start. */
export const atOnce: ReadonlySet<SettingName> = new Set(["name", "description"]);

export function draftOf(project: Project): SettingsDraft {
  return {
    name: project.name,
    description: project.description,
    type: project.type,
    language: project.language,
    version: project.version,
    entry: project.entry ?? "",
    command: shownCommand(project),
    installCommand: project.installCommand ?? "",
    root: project.root ?? "",
    spa: project.spa ?? false,
    memoryMb: project.memoryMb,
    port: project.port,
    subdomain: project.subdomain ?? "",
    systemPackages: project.systemPackages.join(", "),
  };
}

/**
 * The start command as a person sees it: empty while it only runs the entry file (spec: "entry and command
 * relation"), as a custom command leaves no entry.
 */
function shownCommand({ language, entry, command }: Project): string {
  return entry === null || isBuilt(language, entry) ? command : "";
}

/** The fields that differ, in the form of the API. */
export function patchOf(before: SettingsDraft, now: SettingsDraft): CallInput<"updateProject">["body"] {
  const changed = changedFields(before, now);
  const patch: Record<string, unknown> = {};
  for (const name of changed) patch[name] = sentValue(name, now);
  return patch;
}

export function changedFields(before: SettingsDraft, now: SettingsDraft): SettingName[] {
  return (Object.keys(before) as SettingName[]).filter((name) => before[name] !== now[name]);
}

/** What one has typed on top of what the project is now: a field that was not touched follows the project. */
export function followed(typed: SettingsDraft, before: SettingsDraft, now: SettingsDraft): SettingsDraft {
  const own = changedFields(before, typed);
  return { ...now, ...Object.fromEntries(own.map((name) => [name, typed[name]])) };
}

function sentValue(name: SettingName, draft: SettingsDraft): unknown {
  if (name === "systemPackages") return draft.systemPackages.split(/[\s,]+/).filter((word) => word !== "");
  if (name === "installCommand" && draft.installCommand === "") return null;
  return draft[name];
}
