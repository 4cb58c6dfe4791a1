/** Has projects installed anew of which their host holds nothing any more. */

import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { findProject, saveObserved, updateProject } from "../../store/tables/projects/project.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { recordActivity } from "../accounts/activity.ts";
import { isRestoredLately } from "../cluster/restored.ts";
import { serviceActor } from "../identity/caller.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";

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
