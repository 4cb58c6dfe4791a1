/**
 * Takes a host's report of what it holds, before it receives the desired state. In most cases it is what
 * central knows. Where central's database was restored from a backup, the host knows more: its projects'
 * newer state is taken over, and of what is not known here nothing is lost.
 */

import {
  AppError,
  type Assignment,
  type HeldBackReason,
  type HeldOutline,
  type HeldProject,
} from "@tijolo/protocol";
import { deleteDeparture, listDepartures, saveDeparture } from "../../store/tables/departure.ts";
import { wantedChanged } from "../../store/tables/host.ts";
import { transact, type Transaction } from "../../store/store.ts";
import {
  findProject,
  listPlacements,
  saveObserved,
  savePlacement,
  updateProject,
  type Placement,
} from "../../store/tables/project.ts";
import { serviceActor } from "../identity/caller.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { isRestoredLately } from "../cluster/restored.ts";
import { isProven, restoreProject } from "./restore-project.ts";

/** Implements `LinkBackend.takeInventory`. */
export async function takeInventory(
  app: HostProjectsContext,
  hostId: string,
  projects: HeldOutline[],
): Promise<{ tell: string[] }> {
  const held = new Map(projects.map((project) => [project.projectId, project]));
  const { tell, missing } = await transact(app.db, async (tx) => {
    const tell: string[] = [];
    const here = await listPlacements(tx, { hostId });
    const placedHere = new Set(here.map(({ projectId }) => projectId));
    const changed: string[] = [];
    const others = await listPlacements(tx, {
      projectIds: [...held.keys()].filter((projectId) => !placedHere.has(projectId)),
    });
    await forgetCarriedOut(tx, hostId, held);
    for (const placement of here) {
      const outline = held.get(placement.projectId);
      if (outline === undefined) continue;
      if (isNewer(outline, placement)) tell.push(placement.projectId);
      // Nothing but the number is known of it, and under an older one it would hear of nothing any more.
      else if (outline.generation > placement.generation) {
        await savePlacement(tx, { ...placement, generation: outline.generation });
        changed.push(placement.projectId);
      }
    }
    for (const placement of others) {
      const outline = held.get(placement.projectId);
      if (outline?.wanted != null && outline.generation > placement.generation)
        tell.push(placement.projectId);
      else if (await putAside(app, tx, hostId, placement.projectId)) changed.push(placement.projectId);
    }
    if (changed.length > 0) await wantedChanged(tx, hostId, changed);
    const isMissing = ({ projectId, observed }: Placement) => observed !== null && !held.has(projectId);
    return { tell, missing: here.filter(isMissing).map(({ projectId }) => projectId) };
  });
  app.heldBack.begin(hostId, { newer: tell, awaited: missing });
  // Not before: once every host has told, what no host is known to have is installed anew.
  app.inventories.note(hostId, projects);
  await installMissing(app);
  return { tell };
}

/**
 * Has projects installed anew that are missing on their host. After a restore this waits for all hosts: the
 * project may have moved to one of them since the backup.
 */
export async function installMissing(app: HostProjectsContext): Promise<void> {
  const missing = app.heldBack.awaited();
  if (missing.length === 0) return;
  if ((await isRestoredLately(app)) && !(await app.inventories.areComplete(app))) return;
  for (const { hostId, projectId } of missing) {
    const isAnew = await transact(app.db, async (tx) => {
      if (!app.heldBack.has(hostId, projectId)) return false; // two inventories may have come here at once
      const isNoted = await noteMissing(app, tx, hostId, projectId);
      // Before its host is woken: what is sent then has the project.
      tx.onCommit(() => app.heldBack.release(hostId, projectId));
      await wantedChanged(tx, hostId, [projectId]);
      return isNoted;
    });
    if (!isAnew) continue;
    app.logger.warn(
      { projectId, hostId },
      "a host has nothing any more of a project that it had: it is installed anew, with an empty disk",
    );
  }
}

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
  { projectId, assignment, observed }: HeldProject,
): Promise<HeldBackReason | null> {
  const isTrue = assignment !== null && isProven(app, { hostId, projectId }, assignment);
  const { failure, leftHost } = await transact(
    app.db,
    async (tx): Promise<{ failure: HeldBackReason | null; leftHost: string | null }> => {
      const row = await findProject(tx, projectId);
      const [placement] = await listPlacements(tx, { projectIds: [projectId] });
      if (row === undefined || placement === undefined) return { failure: null, leftHost: null };
      // It may have been changed here since the host told its outline; and a host could tell what was true
      // once.
      if (assignment !== null && !isNewer(outlineOf(assignment), placement))
        return { failure: null, leftHost: null };
      if (!isTrue) return { failure: "unproven", leftHost: null };
      const isElsewhere = row.hostId !== hostId;
      const isUsable = row.accountId === assignment.accountId && assignment.generation >= row.generation;
      if (!isUsable || (isElsewhere && assignment.generation === row.generation))
        return { failure: "failed", leftHost: null };
      const known = {
        projectId,
        hostId,
        accountId: row.accountId,
        assignment,
        observed,
        before: row,
        actor: serviceActor,
      };
      const revision = Math.max(placement.revision, assignment.project?.revision ?? 0);
      await restoreProject(app, tx, {
        ...known,
        generation: assignment.generation,
        revision,
        note: "taken_over",
      });
      await deleteDeparture(tx, hostId, projectId);
      // Before its host is woken: what is sent then has the project.
      for (const changed of [hostId, row.hostId]) tx.onCommit(() => app.heldBack.release(changed, projectId));
      await wantedChanged(tx, hostId, [projectId]);
      if (!isElsewhere) return { failure: null, leftHost: hostId };
      await saveDeparture(tx, { hostId: row.hostId, projectId, reason: "moved", createdAt: app.clock.now() });
      await wantedChanged(tx, row.hostId, [projectId]);
      return { failure: null, leftHost: row.hostId };
    },
  );
  if (leftHost === null) return failure;
  app.logger.warn(
    { projectId, hostId, leftHost },
    "a host knew a newer state of a project than the database; it was taken over",
  );
  return null;
}

/**
 * True when the host's state is newer. A version that is not known here is always newer: its number is never
 * used for another.
 */
function isNewer(
  { generation, wanted }: Pick<HeldOutline, "generation" | "wanted">,
  placement: Placement,
): boolean {
  if (wanted === null) return false;
  const isLater =
    (wanted.revision ?? 0) > placement.revision || wanted.versionNumber > placement.versionNumber;
  return generation > placement.generation || isLater;
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

/** Deletes the departures that the host has carried out: it holds nothing of these projects any more. */
async function forgetCarriedOut(
  tx: Transaction,
  hostId: string,
  held: ReadonlyMap<string, HeldOutline>,
): Promise<void> {
  for (const { projectId } of await listDepartures(tx, hostId)) {
    if (!held.has(projectId)) await deleteDeparture(tx, hostId, projectId);
  }
}

/**
 * Puts aside a project that central has on another host, so that it does not run on two. Returns false when
 * the host has been given this reason, or another one, before.
 */
async function putAside(
  { clock }: HostProjectsContext,
  tx: Transaction,
  hostId: string,
  projectId: string,
): Promise<boolean> {
  const known = await listDepartures(tx, hostId);
  if (known.some((departure) => departure.projectId === projectId)) return false;
  await saveDeparture(tx, { hostId, projectId, reason: "elsewhere", createdAt: clock.now() });
  return true;
}

/** Records that the project is installed anew on this host; false when it is no longer placed there. */
async function noteMissing(
  app: HostProjectsContext,
  tx: Transaction,
  hostId: string,
  projectId: string,
): Promise<boolean> {
  const row = await findProject(tx, projectId);
  if (row?.hostId !== hostId) return false;
  const { accountId, versionNumber } = row;
  await saveObserved(tx, projectId, null);
  await updateProject(tx, projectId, {}, app.clock.now());
  const after = { note: "installed_anew", versionNumber };
  await recordActivity(app, tx, {
    accountId,
    actor: serviceActor,
    action: "project.restore",
    project: row,
    after,
  });
  return true;
}
