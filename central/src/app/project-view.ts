/** A project as the API shows it, from what is stored, what its host saw, and its usage now. */

import { internalHostOf, projectErrorMessages, statusOf, type Plan, type Project } from "@tijolo/protocol";
import type { ProjectRow } from "../db/project.ts";
import type { AppContext } from "./context.ts";

export function viewProject(app: Pick<AppContext, "usage" | "siteUrl">, plan: Plan, row: ProjectRow): Project {
  const { observed, settings } = row;
  const status = statusOf(row, observed);
  const isRunning = status === "running";
  const isDown = status === "error" || status === "crash_loop";
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: settings.type,
    language: settings.language,
    version: settings.version,
    entry: settings.entry,
    command: settings.command,
    installCommand: settings.installCommand,
    root: settings.root,
    systemPackages: settings.systemPackages,
    memoryMb: settings.memoryMb,
    port: settings.port,
    subdomain: row.subdomain,
    url: row.subdomain === null ? null : app.siteUrl(row.subdomain),
    internalHost: internalHostOf(row.id),
    status,
    error:
      isDown && observed !== null && observed.errorCode !== null
        ? { code: observed.errorCode, message: `${projectErrorMessages[observed.errorCode]} ${observed.errorDetail}`.trim() }
        : null,
    hasAutoRestart: plan.hasAutoRestart,
    consecutiveCrashes: observed?.consecutiveCrashes ?? 0,
    lastExit: observed?.lastExit ?? null,
    usage: isRunning ? (app.usage.find(row.id) ?? noUsage) : null,
    startedAt: isRunning ? (observed?.startedAt ?? null) : null,
    templateId: null,
    restoredFromBackupId: null,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

/** Until the first sample of a run arrives. */
const noUsage = { memoryMb: 0, cpuPercent: 0, networkInBps: 0, networkOutBps: 0 };
