/**
 * Derives the settings a project runs with from what a person wrote (`svc.json`, form, PATCH), by the rules
 * of its language and plan.
 */

import { z } from "zod";
import { AppError } from "../contract/app-error.ts";
import type { Words } from "../values/words.ts";
import {
  defaultVersions,
  isLanguage,
  isSupportedVersion,
  languages,
  supportedLanguages,
} from "../nouns/language.ts";
import { minimumMemoryMb, type Plan } from "../nouns/plan.ts";
import type { ProjectConfig } from "./project-config.ts";
import { projectType } from "../nouns/project.ts";
import { defaultOnFailure, onFailureChoices } from "./on-failure.ts";
import { isBuilt } from "./built-entry.ts";
import { entryOfCommand, startCommand, type ProjectKind } from "./start-command.ts";
import { systemPackage } from "./system-package.ts";
import { settingsDetails } from "../texts/settings-details.ts";

/** Everything a host needs to install and run the project. */
export const projectSettings = z.strictObject({
  type: projectType,
  language: z.enum(languages),
  version: z.string(),
  entry: z.string().nullable(),
  command: z.string(),
  installCommand: z.string().nullable(),
  root: z.string().nullable(),
  systemPackages: z.array(systemPackage),
  memoryMb: z.int(),
  port: z.int().nullable(),
  onFailure: z.enum(onFailureChoices).default(defaultOnFailure),
  /** True for a static site of one page: every address without a file is answered with its index.html. */
  spa: z.boolean().optional(),
});

export type ProjectSettings = z.infer<typeof projectSettings>;

/**
 * Resolves a configuration to settings; defaults as in `svc.json`.
 * Throws AppError `missing_config`, `unsupported_language`, `site_not_allowed` or `invalid_config` (with
 * `field`). For a change, pass the configuration that the project would have: {@link configOfSettings} of
 * today's, with the changes over it.
 */
export function resolveSettings(config: ProjectConfig, plan: Plan): ProjectSettings {
  const { language } = config;
  if (language === undefined) throw new AppError("missing_config");
  if (!isLanguage(language)) throw unsupported();
  const version = config.version ?? defaultVersions[language];
  if (!isSupportedVersion(language, version)) throw unsupported();
  const type = config.type ?? (language === "static" ? "site" : "bot");
  if (type === "bot") {
    if (language === "static") throw invalid("type", settingsDetails.staticIsSite);
    if (config.port !== undefined) throw invalid("port", settingsDetails.botHasNoPort);
    if (config.subdomain !== undefined) throw invalid("subdomain", settingsDetails.botHasNoSubdomain);
  } else if (plan.sites === 0) {
    throw new AppError("site_not_allowed");
  }
  const minimum = minimumMemoryMb(plan, { type, language });
  const memoryMb = config.memoryMb ?? minimum;
  if (memoryMb < minimum) throw invalid("memoryMb", settingsDetails.leastMemory(minimum));
  return {
    type,
    language,
    version,
    ...(language === "static" ? staticProgram(config) : program({ language, type }, config)),
    systemPackages: config.systemPackages ?? [],
    memoryMb,
    port: type === "site" ? (config.port ?? 8080) : null,
    onFailure: config.onFailure ?? defaultOnFailure,
  };
}

/**
 * Returns the current settings as the configuration they come from, so that a change can be laid over it: a
 * command that follows from the rest is not in it.
 */
export function configOfSettings(settings: ProjectSettings): ProjectConfig {
  const { root, port, entry, command, installCommand, ...rest } = settings;
  const { language } = settings;
  const isImplied = command === startCommand(settings, entry);
  return {
    ...rest,
    installCommand,
    ...(isImplied ? {} : { command }),
    ...(entry !== null && (isImplied || isBuilt(language, entry)) ? { entry } : {}),
    ...(root === null ? {} : { root }),
    ...(port === null ? {} : { port }),
  };
}

type Program = Pick<ProjectSettings, "entry" | "command" | "installCommand" | "root" | "spa">;

function staticProgram(config: ProjectConfig): Program {
  if (config.command !== undefined && config.command !== "")
    throw invalid("command", settingsDetails.staticHasNoCommand);
  if (config.entry !== undefined && config.entry !== "")
    throw invalid("entry", settingsDetails.staticHasNoEntry);
  if (config.systemPackages !== undefined && config.systemPackages.length > 0) {
    throw invalid("systemPackages", settingsDetails.staticHasNoPackages);
  }
  return {
    entry: null,
    command: "",
    installCommand: config.installCommand ?? null,
    root: config.root ?? "",
    ...(config.spa === true ? { spa: true } : {}),
  };
}

function program(kind: ProjectKind, config: ProjectConfig): Program {
  if (config.root !== undefined) throw invalid("root", settingsDetails.onlyStaticHasRoot);
  if (config.spa === true) throw invalid("spa", settingsDetails.onlyStaticIsSpa);
  const installCommand = config.installCommand ?? null;
  const entry = config.entry === undefined || config.entry === "" ? null : config.entry;
  const given = config.command?.trim() ?? "";
  if (given !== "")
    return { entry: entryBeside(kind, entry, given), command: given, installCommand, root: null };
  const command = startCommand(kind, entry);
  if (command === null) throw new AppError("missing_config");
  return { entry, command, installCommand, root: null };
}

/** Returns the entry of a project whose command is given. */
function entryBeside({ language }: ProjectKind, entry: string | null, command: string): string | null {
  if (entry !== null && isBuilt(language, entry)) return entry;
  const run = entryOfCommand(language, command);
  if (entry !== null && run !== null && run !== entry)
    throw invalid("entry", {
      pt: `O comando roda ${run}, mas entry diz ${entry}.`,
      en: `The command runs ${run}, but entry says ${entry}.`,
    });
  return run;
}

function invalid(field: string, detail: Words): AppError {
  return new AppError("invalid_config", { extra: { field }, detail });
}

function unsupported(): AppError {
  return new AppError("unsupported_language", { extra: { supported: supportedLanguages() } });
}
