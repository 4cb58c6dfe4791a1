/** From what a person wrote (`svc.json`, form, PATCH) to the settings a project runs with, by the rules of its language and plan. */

import { z } from "zod";
import { AppError } from "./errors.ts";
import {
  commandOfEntry,
  defaultVersions,
  entryOfCommand,
  isLanguage,
  isSupportedVersion,
  languages,
  supportedLanguages,
} from "./language.ts";
import { minimumMemoryMb, type Plan } from "./plan.ts";
import type { ProjectConfig } from "./project-config.ts";
import { projectType } from "./project.ts";
import { systemPackage } from "./system-package.ts";

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
});

export type ProjectSettings = z.infer<typeof projectSettings>;

/**
 * Resolves a configuration to settings; defaults as in `svc.json`.
 * Throws AppError `missing_config`, `unsupported_language`, `site_not_allowed` or `invalid_config` (with `field`).
 * For a change, pass the configuration that the project would have: {@link configOfSettings} of today's, with the changes over it.
 */
export function resolveSettings(config: ProjectConfig, plan: Plan): ProjectSettings {
  const { language } = config;
  if (language === undefined) throw new AppError("missing_config");
  if (!isLanguage(language)) throw unsupported();
  const version = config.version ?? defaultVersions[language];
  if (!isSupportedVersion(language, version)) throw unsupported();
  const type = config.type ?? (language === "static" ? "site" : "bot");
  if (type === "bot") {
    if (language === "static") throw invalid("type", "Um projeto static é sempre um site.");
    if (config.port !== undefined) throw invalid("port", "Um bot não tem porta.");
    if (config.subdomain !== undefined) throw invalid("subdomain", "Um bot não tem subdomínio.");
  } else if (plan.sites === 0) {
    throw new AppError("site_not_allowed");
  }
  const minimum = minimumMemoryMb(plan, { type, language });
  const memoryMb = config.memoryMb ?? minimum;
  if (memoryMb < minimum) throw invalid("memoryMb", `O mínimo para este projeto é ${minimum} MB.`);
  if (memoryMb > plan.memoryMb)
    throw new AppError("insufficient_memory", { extra: { freeMemoryMb: plan.memoryMb, requestedMemoryMb: memoryMb } });
  return {
    type,
    language,
    version,
    ...(language === "static" ? staticProgram(config) : program(language, config)),
    systemPackages: config.systemPackages ?? [],
    memoryMb,
    port: type === "site" ? (config.port ?? 8080) : null,
  };
}

/** Today's settings as the configuration they come from, to lay a change over. */
export function configOfSettings(settings: ProjectSettings): ProjectConfig {
  const { root, port, entry, command, installCommand, ...rest } = settings;
  const isStatic = settings.language === "static";
  return {
    ...rest,
    ...(isStatic ? {} : { command, installCommand }),
    ...(entry !== null && keepsEntryBesideCommand(settings.language) ? { entry } : {}),
    ...(root === null ? {} : { root }),
    ...(port === null ? {} : { port }),
  };
}

type Program = Pick<ProjectSettings, "entry" | "command" | "installCommand" | "root">;

function staticProgram(config: ProjectConfig): Program {
  if (config.command !== undefined && config.command !== "") throw invalid("command", "Um projeto static não tem comando.");
  if (config.entry !== undefined) throw invalid("entry", "Um projeto static não tem arquivo de entrada; use root.");
  if (config.installCommand !== undefined && config.installCommand !== null) {
    throw invalid("installCommand", "Um projeto static não instala nada.");
  }
  if (config.systemPackages !== undefined && config.systemPackages.length > 0) {
    throw invalid("systemPackages", "Um projeto static não usa pacotes de sistema.");
  }
  return { entry: null, command: "", installCommand: null, root: config.root ?? "" };
}

function program(language: Exclude<ProjectSettings["language"], "static">, config: ProjectConfig): Program {
  if (config.root !== undefined) throw invalid("root", "Só projetos static têm root.");
  const installCommand = config.installCommand ?? null;
  const given = config.command === undefined || config.command.trim() === "" ? null : config.command.trim();
  if (given === null) {
    if (config.entry === undefined && !runsWithoutEntry(language)) throw new AppError("missing_config");
    const entry = config.entry ?? null;
    return { entry, command: commandOfEntry(language, entry ?? ""), installCommand, root: null };
  }
  const derived = entryOfCommand(language, given);
  if (keepsEntryBesideCommand(language)) return { entry: config.entry ?? derived, command: given, installCommand, root: null };
  if (config.entry !== undefined && derived !== null && derived !== config.entry) {
    throw invalid("entry", `O comando roda ${derived}, mas entry diz ${config.entry}.`);
  }
  return { entry: derived, command: given, installCommand, root: null };
}

/** Their `entry` names what the build compiles, not what the command runs. */
function keepsEntryBesideCommand(language: ProjectSettings["language"]): boolean {
  return language === "go" || language === "dotnet";
}

/** The project itself says what is run. */
function runsWithoutEntry(language: ProjectSettings["language"]): boolean {
  return keepsEntryBesideCommand(language) || language === "elixir";
}

function invalid(field: string, detail: string): AppError {
  return new AppError("invalid_config", { extra: { field }, detail });
}

function unsupported(): AppError {
  return new AppError("unsupported_language", { extra: { supported: supportedLanguages() } });
}
