/**
 * Removes stored archives that neither a version nor a host names any more: an orphan may need one that a
 * database which was set back does not name.
 */

import { transact } from "../../store/store.ts";
import { isArchiveUsed } from "../../store/tables/projects/version.ts";
import type { UploadsContext } from "./uploads-context.ts";

/** Age in ms below which an archive may belong to an upload that is being written. */
const graceMs = 60 * 60 * 1000;

export async function collectArchives(app: UploadsContext): Promise<void> {
  if (!(await app.inventories.mayCollect(app))) return;
  for await (const sha256 of app.objects.listOlderThan(graceMs, app.clock.now())) {
    // The second answer is on the disk: after a power cut no version is back whose archive is gone.
    const isNamed = async () =>
      app.inventories.hasArchive(sha256) ||
      (await isArchiveUsed(app.db, sha256)) ||
      transact(app.db, (tx) => isArchiveUsed(tx, sha256));
    const isRemoved = await app.objects.removeUnlessNamed(sha256, isNamed);
    if (isRemoved) app.logger.info({ sha256 }, "removed an archive that nothing names");
  }
}
