/** What a PATCH changes of a project, by the rules of `svc.json` and of the plan (spec: PATCH rules). */

import { AppError, configOfSettings, resolveSettings, type Plan, type ProjectConfig, type ProjectSettings } from "@tijolo/protocol";
import type { ProjectChange, ProjectRow } from "../db/project.ts";
import type { Transaction } from "../db/schema.ts";
import { assertRoomFor } from "./quota.ts";
import { assertSubdomain, assertSubdomainFree, makeSubdomain } from "./subdomain.ts";
import { mergeConfig } from "./upload-config.ts";

/** Throws the PATCH rule that is broken. `settings` is absent when only name and description change. */
export async function changeSettings(
  tx: Transaction,
  input: { row: ProjectRow; plan: Plan; patch: ProjectConfig },
): Promise<ProjectChange> {
  const { row, plan } = input;
  const { name, description, subdomain, ...rest } = input.patch;
  const change: ProjectChange = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  };
  if (subdomain === undefined && Object.keys(rest).length === 0) return change;

  const settings = resolveChange(mergeConfig(baseOf(row, rest), rest), plan);
  if (settings.type === "bot" && subdomain !== undefined) {
    throw new AppError("invalid_config", { extra: { field: "subdomain" }, detail: "Um bot não tem subdomínio." });
  }
  if (subdomain !== undefined) {
    assertSubdomain(subdomain);
    await assertSubdomainFree(tx, subdomain, row.id);
  }
  await assertRoomFor(tx, { accountId: row.accountId, plan, settings, projectId: row.id });
  change.settings = settings;
  change.runningSettings = row.runningSettings ?? row.settings;
  if (settings.type === "bot") change.subdomain = null;
  else if (subdomain !== undefined) change.subdomain = subdomain;
  else if (row.subdomain === null) change.subdomain = await makeSubdomain(tx, name ?? row.name, randomOfRow(row));
  return change;
}

/** A project always has settings: what a change would leave it without is named as a wrong field. */
function resolveChange(config: ProjectConfig, plan: Plan): ProjectSettings {
  try {
    return resolveSettings(config, plan);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "missing_config") throw cause;
    throw new AppError("invalid_config", { extra: { field: "command" }, detail: "Falta command ou entry.", cause });
  }
}

/** Today's configuration, less what a change of language or type takes with it. */
function baseOf(row: ProjectRow, patch: ProjectConfig): ProjectConfig {
  const base = configOfSettings(row.settings);
  if (patch.language !== undefined && patch.language !== row.settings.language) {
    delete base.version;
    delete base.installCommand;
    if (patch.language === "static") {
      delete base.command;
      delete base.systemPackages;
      base.type = "site";
    } else {
      delete base.root;
    }
  }
  if (patch.type === "bot") delete base.port;
  if (patch.command?.trim() === "" && row.settings.entry !== null) base.entry = row.settings.entry;
  return base;
}

/** Tail of a derived subdomain: from the project's id, which is random already. */
function randomOfRow(row: ProjectRow): (bytes: number) => Uint8Array {
  let taken = 0;
  return (bytes) => {
    taken += bytes;
    return Buffer.from(row.id).subarray(-taken).subarray(0, bytes);
  };
}
