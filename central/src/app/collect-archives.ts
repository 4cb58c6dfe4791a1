/** Removes stored archives that no version names any more. */

import { isArchiveUsed } from "../db/project.ts";
import type { AppContext } from "./context.ts";

/** An archive younger than this may belong to an upload that is being written. */
const graceMs = 60 * 60 * 1000;

export async function collectArchives(app: AppContext): Promise<void> {
  for await (const sha256 of app.objects.listOlderThan(graceMs, app.clock.now())) {
    if (await isArchiveUsed(app.db, sha256)) continue;
    await app.objects.remove(sha256);
    app.logger.info({ sha256 }, "removed an archive that nothing names");
  }
}
