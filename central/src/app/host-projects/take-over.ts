/**
 * Takes over the newer state that a host has of a project, where central's database was set back. What cannot
 * be taken over stays on its host as it is.
 */

import {
  AppError,
  type Assignment,
  type HeldBackReason,
  type HeldOutline,
  type HeldProject,
} from "@tijolo/protocol";
import { deleteDeparture } from "../../store/tables/hosts/departure.ts";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import {
  findProject,
  listPlacements,
  type Placement,
  type ProjectRow,
} from "../../store/tables/projects/project.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { serviceActor } from "../identity/caller.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { installMissing } from "./install-missing.ts";
import { isNewer, putAside } from "./inventory.ts";
import { isProven, leaveHost, restoreProject } from "./restore-project.ts";

/** Implements `LinkBackend.takeHeld`. A project that cannot be taken over is held back, and logged. */
export async function takeHeld(
  app: HostProjectsContext,
  hostId: string,
  projects: HeldProject[],
): Promise<void> {
  for (const held of projects) {
    const { projectId } = held;
    try {
      const failure = await app.projectQueues.run(projectId, () => takeOne(app, hostId, held));
      if (failure === null) app.heldBack.release(hostId, projectId);
      else await keepOnHost(app, hostId, projectId, { reason: failure });
    } catch (error) {
      const isLocked = error instanceof AppError && error.code === "variables_unavailable";
      await keepOnHost(app, hostId, projectId, {
        reason: isLocked ? "variables_unavailable" : "failed",
        error,
      });
    }
  }
  await installMissing(app);
}

/**
 * Leaves the project's newer state on its host as it is. On a host where central does not have the project,
 * it is stopped and kept.
 */
async function keepOnHost(
  app: HostProjectsContext,
  hostId: string,
  projectId: string,
  { reason, error }: { reason: HeldBackReason; error?: unknown },
): Promise<void> {
  app.heldBack.explain(hostId, projectId, reason);
  app.logger.error(
    { err: error, hostId, projectId, reason },
    "a newer state that a host has of a project is not taken over; the host keeps it as it is: tijolo cluster orphan list",
  );
  await transact(app.db, async (tx) => {
    const row = await findProject(tx, projectId);
    if (row === undefined || row.hostId === hostId) return;
    if (await putAside(app, tx, hostId, projectId)) await wantedChanged(tx, hostId, [projectId]);
  });
}

/**
 * Returns why the project is not taken over; null when central's state is valid: it was taken over, or is not
 * older.
 */
async function takeOne(
  app: HostProjectsContext,
  hostId: string,
  held: HeldProject,
): Promise<HeldBackReason | null> {
  const { projectId, assignment } = held;
  const isTrue = assignment !== null && isProven(app, { hostId, projectId }, assignment);
  const { failure, leftHost } = await transact(app.db, async (tx): Promise<Outcome> => {
    const row = await findProject(tx, projectId);
    const [placement] = await listPlacements(tx, { projectIds: [projectId] });
    if (row === undefined || placement === undefined) return { failure: null, leftHost: null };
    // It may have been changed here since the host told its outline; and a host could tell what was true
    // once.
    if (assignment !== null && !isNewer(outlineOf(assignment), placement))
      return { failure: null, leftHost: null };
    if (!isTrue) return { failure: "unproven", leftHost: null };
    if (!isUsable(assignment, hostId, row)) return { failure: "failed", leftHost: null };
    return { failure: null, leftHost: await takeOver(app, tx, { hostId, held, assignment, row, placement }) };
  });
  if (leftHost === null) return failure;
  app.logger.warn(
    { projectId, hostId, leftHost },
    "a host knew a newer state of a project than the database; it was taken over",
  );
  return null;
}

interface Outcome {
  failure: HeldBackReason | null;
  /** Host that central had the project on; null when nothing was taken over. */
  leftHost: string | null;
}

/**
 * True when the host's state can replace central's: it is of the same account, and of no earlier generation.
 * Where central has the project on another host, only a later generation decides between the two.
 */
function isUsable({ accountId, generation }: Assignment, hostId: string, row: ProjectRow): boolean {
  if (accountId !== row.accountId) return false;
  return row.hostId === hostId ? generation >= row.generation : generation > row.generation;
}

interface Replacement {
  hostId: string;
  held: HeldProject;
  /** The assignment in `held`, proven. */
  assignment: Assignment;
  row: ProjectRow;
  placement: Placement;
}

/** Replaces central's state with the host's. Returns the host that central had the project on. */
async function takeOver(
  app: HostProjectsContext,
  tx: Transaction,
  { hostId, held, assignment, row, placement }: Replacement,
): Promise<string> {
  const { projectId, observed } = held;
  await restoreProject(app, tx, {
    projectId,
    hostId,
    accountId: row.accountId,
    assignment,
    observed,
    before: row,
    actor: serviceActor,
    generation: assignment.generation,
    revision: Math.max(placement.revision, assignment.project?.revision ?? 0),
    note: "taken_over",
  });
  await deleteDeparture(tx, hostId, projectId);
  // Before its host is woken: what is sent then has the project.
  for (const changed of [hostId, row.hostId]) tx.onCommit(() => app.heldBack.release(changed, projectId));
  await wantedChanged(tx, hostId, [projectId]);
  if (row.hostId !== hostId) await leaveHost(app, tx, row.hostId, projectId);
  return row.hostId;
}

function outlineOf({
  generation,
  versionNumber,
  archive,
  project,
}: Assignment): Pick<HeldOutline, "generation" | "wanted"> {
  return {
    generation,
    wanted: { revision: project?.revision ?? null, versionNumber, sha256: archive.sha256 },
  };
}
