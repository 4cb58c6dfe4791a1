/** The settings of a new project while a person looks at them: where they come from, and what does not fit. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import {
  defaultVersions,
  isLanguage,
  languageVersions,
  minimumMemoryMb,
  type Language,
} from "@tijolo/protocol/choices";
import { lengths } from "@tijolo/protocol/lengths";
import type { ProjectConfig } from "@tijolo/protocol/proposal";
import type { Inspection } from "./worker/messages.ts";

export interface ProjectDraft {
  name: string;
  type: "bot" | "site";
  language: Language | "";
  version: string;
  entry: string;
  command: string;
  installCommand: string;
  root: string;
  /** Null: the least of the plan. */
  memoryMb: number | null;
  subdomain: string;
  port: number | null;
}

export type DraftField = keyof ProjectDraft;

/** The plan's bounds, and what is left of them; null while they are not known. */
export interface Room {
  plan: { name: string; sites: number; zipMb: number };
  account: Pick<OperationAnswer<"getAccount">["account"], "memoryMb" | "projects" | "sites" | "suspendedAt">;
}

/** A reason why the project cannot be made so. `field` is null for what no field of the form mends. */
export type DraftProblem =
  | { field: "name"; code: "noName" | "longName" }
  | { field: "language"; code: "noLanguage" }
  | { field: "type"; code: "siteNotAllowed" | "noSiteLeft" }
  | { field: "command"; code: "noStart" }
  | { field: "memoryMb"; code: "littleMemory"; leastMb: number }
  | { field: "memoryMb"; code: "noMemoryLeft"; freeMb: number }
  | { field: "subdomain"; code: "badSubdomain" }
  | { field: "port"; code: "badPort" }
  | { field: null; code: "noProjectLeft" | "suspended" };

/** What the project starts with: its svc.json, or the proposal; the folder's name stands for a missing one. */
export function draftOf(inspection: Inspection): ProjectDraft {
  const config = configOf(inspection);
  const language = config.language !== undefined && isLanguage(config.language) ? config.language : "";
  return {
    name: config.name ?? nameOfFolder(inspection.name),
    type: config.type ?? (language === "static" ? "site" : "bot"),
    language,
    version: config.version ?? (language === "" ? "" : defaultVersions[language]),
    entry: config.entry ?? "",
    command: config.command ?? "",
    installCommand: config.installCommand ?? "",
    root: config.root ?? "",
    memoryMb: config.memoryMb ?? null,
    subdomain: config.subdomain ?? "",
    port: config.port ?? null,
  };
}

/** The configuration that the upload itself brings. */
export function configOf({ svcJson, proposal }: Inspection): ProjectConfig {
  if (svcJson !== null) return "config" in svcJson ? svcJson.config : {};
  return proposal?.config ?? {};
}

/** The configuration as the person has it now. */
export function configOfDraft(draft: ProjectDraft): ProjectConfig {
  return Object.fromEntries(
    Object.entries(draft).filter(([, value]) => value !== "" && value !== null),
  ) as ProjectConfig;
}

/**
 * The fields to send: with an svc.json only what differs from it, without one all that has a value. A field that
 * the svc.json has, and that was emptied, is sent empty. `isAgain`: the project has what was sent before, so that
 * everything is sent.
 */
export function fieldsOf(
  draft: ProjectDraft,
  inspection: Inspection,
  isAgain = false,
): Record<string, string | number> {
  const base = draftOf(inspection);
  const hasSvcJson = inspection.svcJson !== null;
  const inSvcJson = hasSvcJson ? configOf(inspection) : {};
  const fields: Record<string, string | number> = {};
  for (const name of relevantFields(draft)) {
    const value = draft[name];
    const isEmpty = value === "" || value === null;
    if (!isAgain && hasSvcJson && value === base[name] && !(name === "name" && inSvcJson.name === undefined))
      continue;
    if (!isEmpty) fields[name] = value;
    else if ((isAgain || inSvcJson[name] !== undefined) && mayBeEmpty.has(name)) fields[name] = "";
  }
  return fields;
}

/** Fields of the form in which nothing means "none" or "the default". */
const mayBeEmpty: ReadonlySet<DraftField> = new Set([
  "version",
  "entry",
  "command",
  "root",
  "memoryMb",
  "port",
]);

/** The fields that a project of this language and type has. */
export function relevantFields({ language, type }: Pick<ProjectDraft, "language" | "type">): DraftField[] {
  const start: DraftField[] = language === "static" ? ["root"] : ["entry", "command"];
  const site: DraftField[] =
    type === "site" ? ["subdomain", ...(language === "static" ? [] : ["port" as const])] : [];
  const version: DraftField[] = language === "static" ? [] : ["version"];
  return ["name", "type", "language", ...version, ...start, "installCommand", "memoryMb", ...site];
}

/** Returns the draft with the change; a change of the language takes along what depends on it. */
export function changed(draft: ProjectDraft, change: Partial<ProjectDraft>): ProjectDraft {
  const next = { ...draft, ...change };
  if (next.language === "" || change.language === undefined) return next;
  const versions = languageVersions[next.language];
  if (!versions.includes(next.version)) next.version = defaultVersions[next.language];
  if (next.language === "static") next.type = "site";
  return next;
}

/** The memory that it gets: what was chosen, or the least of the plan. */
export function memoryOf(draft: ProjectDraft, room: Room | null): number | null {
  return draft.memoryMb ?? (room === null ? null : minimumMemoryMb(room.plan, draft));
}

const subdomainForm = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/;

/** Says before the upload what the server would refuse; the server has the last word. */
export function problemsOf(draft: ProjectDraft, room: Room | null): DraftProblem[] {
  return [...problemsOfFields(draft), ...(room === null ? [] : problemsOfRoom(draft, room))];
}

function problemsOfFields(draft: ProjectDraft): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const name = draft.name.trim();
  if (name === "") problems.push({ field: "name", code: "noName" });
  if (name.length > lengths.projectName.most) problems.push({ field: "name", code: "longName" });
  if (draft.language === "") problems.push({ field: "language", code: "noLanguage" });
  if (hasNoStart(draft)) problems.push({ field: "command", code: "noStart" });
  if (draft.type === "bot") return problems;
  if (draft.subdomain !== "" && !subdomainForm.test(draft.subdomain))
    problems.push({ field: "subdomain", code: "badSubdomain" });
  if (draft.port !== null && (draft.port < 1 || draft.port > 65_535))
    problems.push({ field: "port", code: "badPort" });
  return problems;
}

/** Languages whose projects need to say what is started; PHP only as a bot. */
function hasNoStart({ language, type, entry, command }: ProjectDraft): boolean {
  if (entry.trim() !== "" || command.trim() !== "") return false;
  return ["node", "python", "java", "ruby"].includes(language) || (language === "php" && type === "bot");
}

function problemsOfRoom(draft: ProjectDraft, { plan, account }: Room): DraftProblem[] {
  const problems: DraftProblem[] = [];
  if (account.suspendedAt !== null) problems.push({ field: null, code: "suspended" });
  if (account.projects.free < 1) problems.push({ field: null, code: "noProjectLeft" });
  if (draft.type === "site" && plan.sites === 0) problems.push({ field: "type", code: "siteNotAllowed" });
  else if (draft.type === "site" && account.sites.free < 1)
    problems.push({ field: "type", code: "noSiteLeft" });
  const leastMb = minimumMemoryMb(plan, draft);
  const memoryMb = draft.memoryMb ?? leastMb;
  const freeMb = Math.max(0, account.memoryMb.free);
  if (memoryMb < leastMb) problems.push({ field: "memoryMb", code: "littleMemory", leastMb });
  else if (memoryMb > freeMb) problems.push({ field: "memoryMb", code: "noMemoryLeft", freeMb });
  return problems;
}

function nameOfFolder(folder: string): string {
  return folder
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim()
    .slice(0, lengths.projectName.most)
    .trim();
}
