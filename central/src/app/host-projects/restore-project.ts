/** Restores a project as its host knows it, where central's database was set back. */

import { AppError, textToProve, type Assignment, type HeldProject } from "@tijolo/protocol";
import { saveDeparture } from "../../store/tables/hosts/departure.ts";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import {
  findProject,
  insertProject,
  savePlacement,
  updateProject,
  type ProjectChange,
  type ProjectRow,
} from "../../store/tables/projects/project.ts";
import type { Transaction } from "../../store/store.ts";
import { replaceVersion } from "../../store/tables/projects/version.ts";
import type { Actor } from "../identity/caller.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { configTagOf } from "../runs/config-tag.ts";
import { assertSubdomainFree, makeSubdomain } from "../projects/subdomain.ts";
import { putVariables } from "../projects/variable.ts";
import { noteOutcome } from "../projects/version-outcome.ts";

export interface Restoration {
  projectId: string;
  hostId: string;
  /** Account that gets the project; of a project that central has, its own. */
  accountId: string;
  assignment: Assignment;
  observed: HeldProject["observed"];
  /** The project's row before; undefined when central has none. */
  before: ProjectRow | undefined;
  generation: number;
  revision: number;
  actor: Actor;
  note: "adopted" | "taken_over";
}

/** True when the host returns exactly what central gave it for this project. */
export function isProven(
  { clusterKey }: Pick<HostProjectsContext, "clusterKey">,
  { hostId, projectId }: { hostId: string; projectId: string },
  { proof, ...assignment }: Assignment,
): boolean {
  if (assignment.projectId !== projectId) return false;
  return proof !== undefined && clusterKey.hasSigned(textToProve(hostId, assignment), proof);
}

/**
 * Restores the project. No quota is checked: it runs already, and the next start checks. Throws
 * `variables_unavailable` without a master key.
 */
export async function restoreProject(
  app: HostProjectsContext,
  tx: Transaction,
  restoration: Restoration,
): Promise<ProjectRow> {
  const { projectId, hostId, accountId, assignment, observed, before, generation, revision, actor, note } =
    restoration;
  const now = app.clock.now();
  if (before === undefined) await insertProject(tx, newRow(restoration, now));
  const { archive, versionNumber, variables, settings } = assignment;
  const version = { projectId, number: versionNumber, ...archive, settings, rolledBackFrom: null };
  await replaceVersion(tx, { ...version, trigger: "upload", by: actor, createdAt: now });
  if (observed !== null) await noteOutcome(tx, { id: projectId, observed: null }, observed, now);
  const variablesRevision =
    variables === null
      ? (before?.variablesRevision ?? null)
      : await putVariables(app, tx, projectId, variables);
  const subdomain = await subdomainFor(app, tx, restoration);
  await updateProject(tx, projectId, changeOf(restoration, { variablesRevision, subdomain }), now);
  await savePlacement(tx, { projectId, hostId, generation, revision, observed });
  const row = await findProject(tx, projectId);
  if (row === undefined) throw new AppError("not_found");
  await recordActivity(app, tx, {
    accountId,
    actor,
    action: "project.restore",
    project: row,
    after: { note, versionNumber },
  });
  return row;
}

/** Has a host give up a project that was moved to another one. */
export async function leaveHost(
  { clock }: Pick<HostProjectsContext, "clock">,
  tx: Transaction,
  hostId: string,
  projectId: string,
): Promise<void> {
  await saveDeparture(tx, { hostId, projectId, reason: "moved", createdAt: clock.now() });
  await wantedChanged(tx, hostId, [projectId]);
}

function newRow(
  { projectId, accountId, hostId, assignment, generation }: Restoration,
  now: number,
): Parameters<typeof insertProject>[1] {
  const { project, settings, run, restartCount, versionNumber } = assignment;
  return {
    id: projectId,
    accountId,
    name: project?.name ?? projectId,
    description: project?.description ?? "",
    settings,
    subdomain: null,
    servedSubdomain: null,
    run,
    restartCount,
    startConfigTag: null,
    versionNumber,
    createdAt: project === undefined ? now : Date.parse(project.createdAt),
    updatedAt: now,
    hostId,
    generation,
  };
}

/**
 * Returns the columns to write. A setting that is pending until the next start on the host is pending in the
 * database too.
 */
function changeOf(
  { assignment, observed, before }: Restoration,
  { variablesRevision, subdomain }: { variablesRevision: string | null; subdomain: string | null },
): ProjectChange {
  const { project, settings, run, versionNumber } = assignment;
  const isStartedWith = run === "on" && observed?.configTag === assignment.configTag;
  const servedBefore = before?.servedSubdomain ?? subdomain;
  return {
    ...(project === undefined ? {} : { name: project.name, description: project.description }),
    settings,
    runningSettings: isStartedWith ? settings : (before?.runningSettings ?? settings),
    subdomain,
    servedSubdomain: isStartedWith || run === "off" ? subdomain : servedBefore,
    run,
    restartCount: Math.max(assignment.restartCount, before?.restartCount ?? 0),
    versionNumber,
    ...(isStartedWith ? { startConfigTag: configTagOf({ settings, variablesRevision, subdomain }) } : {}),
  };
}

/** Returns the project's own subdomain, or a free one when another project has it by now. */
async function subdomainFor(
  app: HostProjectsContext,
  tx: Transaction,
  { projectId, accountId, assignment, before }: Restoration,
): Promise<string | null> {
  if (assignment.settings.type === "bot") return null;
  const seeker = { accountId, now: app.clock.now() };
  const wanted = assignment.project?.subdomain ?? before?.subdomain;
  try {
    if (wanted !== null && wanted !== undefined) {
      await assertSubdomainFree(tx, wanted, { ...seeker, projectId });
      return wanted;
    }
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
  }
  const name = assignment.project?.name ?? "site";
  return before?.subdomain ?? makeSubdomain(tx, name, { ...seeker, random: app.random });
}
