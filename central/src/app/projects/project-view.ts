/** Builds a project as the API shows it, from its row, what its host observed, and its usage. */

import {
  actionInProgress,
  internalHostOf,
  isStartUnheard,
  statusOf,
  type ActionableProject,
  type DesiredRun,
  type Plan,
  type Project,
  type Usage,
} from "@tijolo/protocol";
import { projectErrorMessage, type TextLanguage } from "@tijolo/protocol/texts/project";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import type { ProjectsContext } from "./projects-context.ts";

/** Returns what decides which actions a project accepts. */
export function standingOf(row: Pick<ProjectRow, "observed"> & DesiredRun): ActionableProject {
  const { observed } = row;
  const status = statusOf(row, observed);
  const isDown = status === "error" || status === "crash_loop";
  const error =
    isDown && observed !== null && observed.errorCode !== null ? { code: observed.errorCode } : null;
  return { status, error, action: actionInProgress(row, observed) };
}

export function viewProject(
  app: Pick<ProjectsContext, "usage" | "siteUrl">,
  plan: Plan,
  row: ProjectRow,
  language: TextLanguage,
): Project {
  const { observed, settings } = row;
  const { status, error } = standingOf(row);
  const isRunning = status === "running";
  // A start forgets the crashes before it; the host says so only when it begins.
  const isForgiven = status === "restarting" && observed !== null && isStartUnheard(row, observed);
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
    ...(settings.spa === true ? { spa: true } : {}),
    systemPackages: settings.systemPackages,
    memoryMb: settings.memoryMb,
    port: settings.port,
    subdomain: row.subdomain,
    url: row.subdomain === null ? null : app.siteUrl(row.subdomain),
    internalHost: internalHostOf(row.id),
    status,
    error:
      error === null
        ? null
        : {
            ...error,
            message: projectErrorMessage({ ...error, details: observed?.errorDetails ?? [] }, language),
          },
    hasAutoRestart: plan.hasAutoRestart,
    consecutiveCrashes: isForgiven ? 0 : (observed?.consecutiveCrashes ?? 0),
    lastExit: observed?.lastExit ?? null,
    usage: isRunning ? usageOf(app, row) : null,
    startedAt: isRunning ? (observed?.startedAt ?? null) : null,
    templateId: null,
    restoredFromBackupId: null,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

/** Returns the usage of a project that runs. It is the same object until there is another sample. */
export function usageOf({ usage }: Pick<ProjectsContext, "usage">, { id }: Pick<ProjectRow, "id">): Usage {
  return usage.find(id) ?? noUsage;
}

/** Usage until the first sample of a run arrives. */
const noUsage: Usage = { memoryMb: 0, cpuPercent: 0, networkInBps: 0, networkOutBps: 0 };
