/**
 * Builds the environment of a project's process: defaults, over them the owner's variables, over these what
 * the service sets itself.
 */

import type { Assignment } from "@tijolo/protocol";
import { languageRules } from "../../languages/all-languages.ts";
import type { LanguageRules } from "../../languages/language-rules.ts";

/** Share of the memory limit that a runtime's heap may take; the rest is for everything beside the heap. */
const heapShare = 0.75;

/** Memory of each install step in MiB (spec: "Limits"). */
export const installMemoryMb = 1024;

/** Variables beneath all others. */
export interface EnvironmentBase {
  /** Variables that the image sets itself. */
  image: Record<string, string>;
  /** Variables that make the host's certificate authorities known. */
  trust: Record<string, string>;
  /** Returns whether the image has a file; its path has no slash before it. */
  imageHas: (path: string) => boolean;
}

export function installEnvironment(assignment: Assignment, base: EnvironmentBase): Record<string, string> {
  return {
    ...defaults(assignment, base),
    CI: "true",
    ...rulesOf(assignment)?.installEnvironment(heapOf(installMemoryMb), base.imageHas),
    ...variablesOf(assignment),
    ...ownNames(assignment),
  };
}

export function runEnvironment(assignment: Assignment, base: EnvironmentBase): Record<string, string> {
  const { settings } = assignment;
  return {
    ...defaults(assignment, base),
    ...rulesOf(assignment)?.runEnvironment(heapOf(settings.memoryMb)),
    ...variablesOf(assignment),
    ...ownNames(assignment),
    ...(settings.port === null ? {} : { PORT: String(settings.port), HOST: "0.0.0.0" }),
  };
}

/** Returns the heap size, because runtimes do not detect the container's memory limit everywhere. */
function heapOf(memoryMb: number): number {
  return Math.floor(memoryMb * heapShare);
}

function rulesOf({ settings: { language } }: Assignment): LanguageRules | undefined {
  return language === "static" ? undefined : languageRules[language];
}

const debianPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Returns the default variables of both steps. */
function defaults(assignment: Assignment, { image, trust }: EnvironmentBase): Record<string, string> {
  const rules = rulesOf(assignment);
  return {
    ...image,
    ...trust,
    HOME: "/home/project",
    LANG: "C.UTF-8",
    TZ: "UTC",
    ...rules?.environment,
    PATH: [...(rules?.path ?? []), image["PATH"] ?? debianPath].join(":"),
  };
}

/** Returns the variables; the plan begins nothing before they are known. */
function variablesOf({ projectId, variables }: Assignment): Record<string, string> {
  if (variables === null) throw new Error(`the variables of project ${projectId} are not known`);
  return variables;
}

function ownNames({ projectId, versionNumber }: Assignment): Record<string, string> {
  return { SVC_PROJECT_ID: projectId, SVC_VERSION: String(versionNumber) };
}
