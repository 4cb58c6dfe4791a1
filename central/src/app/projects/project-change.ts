/** Applies a PATCH to a project, by the rules of `svc.json` and of the plan (spec: PATCH rules). */

import {
  AppError,
  configOfSettings,
  entryOfCommand,
  resolveSettings,
  runsByItself,
  startCommand,
  type ConfigField,
  type Plan,
  type ProjectConfig,
  type ProjectSettings,
} from "@tijolo/protocol";
import { refusalDetails, settingsDetails } from "@tijolo/protocol/texts/central";
import type { ProjectChange, ProjectRow } from "../../store/tables/projects/project.ts";
import { reservedMemoryOf } from "../../store/tables/projects/reserved-memory.ts";
import type { Transaction } from "../../store/store.ts";
import { assertHostHasRoom } from "../hosts/host.ts";
import { assertRoomFor } from "../accounts/quota.ts";
import { assertSubdomain, assertSubdomainFree, keepSubdomains, makeSubdomain } from "./subdomain.ts";
import { hasCommand, hasEntry, mergeConfig } from "./merge-config.ts";

export interface SettingsChange {
  row: ProjectRow;
  plan: Plan;
  now: number;
  patch: ProjectConfig;
  /** Fields that return to their default. */
  resets?: Iterable<ConfigField>;
}

/**
 * Changes settings; throws the PATCH rule that is broken. `settings` is absent when only name and description
 * change.
 */
export async function changeSettings(tx: Transaction, input: SettingsChange): Promise<ProjectChange> {
  const { row, plan, now } = input;
  const resets = new Set(input.resets);
  const { name, description = resets.delete("description") ? "" : undefined, ...others } = input.patch;
  const { subdomain, ...rest } = others;
  const change: ProjectChange = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  };
  if (subdomain === undefined && Object.keys(rest).length === 0 && resets.size === 0) return change;

  const settings = settingsAfter(row, { patch: withDefaultType(row, rest, resets), resets }, plan);
  if (settings.type === "bot" && subdomain !== undefined) {
    throw new AppError("invalid_config", {
      extra: { field: "subdomain" },
      detail: settingsDetails.botHasNoSubdomain,
    });
  }
  if (subdomain !== undefined && subdomain !== row.subdomain && subdomain !== row.servedSubdomain) {
    assertSubdomain(subdomain);
    await assertSubdomainFree(tx, subdomain, { projectId: row.id, accountId: row.accountId, now });
  }
  await assertRoomFor(tx, { accountId: row.accountId, plan, settings, project: row });
  await assertHostHasRoom(tx, row.hostId, settings.memoryMb - reservedMemoryOf(row));
  change.settings = settings;
  change.runningSettings = row.runningSettings ?? row.settings;
  if (settings.type === "bot") change.subdomain = null;
  else if (subdomain !== undefined) change.subdomain = subdomain;
  else change.subdomain = row.subdomain ?? row.servedSubdomain ?? (await makeOwn(tx, { row, name, now }));
  if (change.subdomain !== undefined && change.subdomain !== row.subdomain)
    await keepSubdomains(tx, row, now);
  if (row.run === "off") change.servedSubdomain = change.subdomain;
  return change;
}

function makeOwn(
  tx: Transaction,
  { row, name = row.name, now }: { row: ProjectRow; name: string | undefined; now: number },
): Promise<string> {
  return makeSubdomain(tx, name, { random: randomOfRow(row), accountId: row.accountId, now });
}

interface Change {
  patch: ProjectConfig;
  resets: ReadonlySet<ConfigField>;
}

/**
 * Returns the patch with the default type written out when the change resets the type, because much depends
 * on it.
 */
function withDefaultType(
  { settings }: ProjectRow,
  patch: ProjectConfig,
  resets: ReadonlySet<ConfigField>,
): ProjectConfig {
  if (!resets.has("type") || patch.type !== undefined) return patch;
  return { ...patch, type: (patch.language ?? settings.language) === "static" ? "site" : "bot" };
}

/**
 * Returns the settings after the change. Memory that it does not name stays, also where it is below the
 * minimum of a plan that the account has had only since.
 */
function settingsAfter(row: ProjectRow, { patch, resets }: Change, plan: Plan): ProjectSettings {
  const base = withoutReset(baseOf(row, patch), { patch, resets });
  const { memoryMb, ...config } = mergeConfig(base, withoutSameStart(row, patch));
  const isOtherKind =
    (patch.type ?? row.settings.type) !== row.settings.type ||
    (patch.language ?? row.settings.language) !== row.settings.language;
  if (patch.memoryMb === undefined && !isOtherKind && !resets.has("memoryMb"))
    return { ...resolveChange(config, plan), memoryMb: row.settings.memoryMb };
  return resolveChange({ ...config, ...(memoryMb === undefined ? {} : { memoryMb }) }, plan);
}

/** Resolves a change. A project always has settings: one that a change removes is a wrong field. */
function resolveChange(config: ProjectConfig, plan: Plan): ProjectSettings {
  try {
    return resolveSettings(config, plan);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "missing_config") throw cause;
    throw new AppError("invalid_config", {
      extra: { field: "command" },
      detail: refusalDetails.noCommandOrEntry,
      cause,
    });
  }
}

/**
 * Returns the configuration without the fields that return to their default. An entry and a command do so
 * where the project has another start, by the change or by itself: without one they have no default, and
 * stay.
 */
function withoutReset(base: ProjectConfig, { patch, resets }: Change): ProjectConfig {
  const hasStart = hasEntry(patch) || hasCommand(patch) || runsByItself({ ...base, ...patch });
  const rest = { ...base };
  for (const field of resets) if (hasStart || (field !== "entry" && field !== "command")) delete rest[field];
  return rest;
}

/** Returns the current configuration without what a change of language or type removes. */
function baseOf(row: ProjectRow, patch: ProjectConfig): ProjectConfig {
  const base = configOfSettings(row.settings);
  const isOtherLanguage = patch.language !== undefined && patch.language !== row.settings.language;
  if (isOtherLanguage) {
    delete base.version;
    delete base.installCommand;
    delete base.entry;
    const isOfLanguage = entryOfCommand(row.settings.language, row.settings.command) !== null;
    if (isOfLanguage || runsByItself({ ...base, ...patch })) delete base.command;
    if (patch.language === "static") {
      delete base.systemPackages;
      base.type = "site";
    } else {
      delete base.root;
      delete base.spa;
    }
  }
  // A command that only runs today's entry file goes with it.
  const { language, command, entry } = row.settings;
  if (patch.entry === "" && entry !== null && entryOfCommand(language, command) === entry)
    delete base.command;
  if (patch.type === "bot") delete base.port;
  return base;
}

/**
 * Removes from a change what is so already about the start. An empty command means: run the entry file, which
 * today's command may do in other words than the service would (`tsx a.js`).
 */
function withoutSameStart({ settings }: ProjectRow, patch: ProjectConfig): ProjectConfig {
  const { entry: newEntry, command = "", ...rest } = patch;
  const { language = settings.language, type = settings.type } = patch;
  const { entry } = settings;
  if (language !== settings.language || (newEntry ?? entry ?? "") !== (entry ?? "")) return patch;
  if (startCommand({ language, type }, entry) !== startCommand(settings, entry)) return patch;
  const given = command.trim();
  const isSame =
    given === ""
      ? entry !== null && entryOfCommand(language, settings.command) === entry
      : given === settings.command;
  return isSame ? rest : patch;
}

/** Derives the tail of a subdomain from the project's id, which is random already. */
function randomOfRow(row: ProjectRow): (bytes: number) => Uint8Array {
  let taken = 0;
  return (bytes) => {
    taken += bytes;
    return Buffer.from(row.id).subarray(-taken).subarray(0, bytes);
  };
}
