/**
 * Refuses user ids of projects that may be those of the machine's users, except on a host whose projects have
 * them already.
 */

import { minUidStart } from "../config.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { findUidIndex } from "./found-projects.ts";

export interface UidStartSources {
  ledger: Pick<Ledger, "projectIds" | "findUidIndex">;
  dataDirectory: string;
  uidStart: number;
  logger: { warn(fields: object, message: string): void };
}

/**
 * Throws when the ids may belong to users. Must be called when the projects' disks are open. Earlier agents
 * used a lower first id; with another one, projects would lose their files.
 */
export async function checkUidStart({
  ledger,
  dataDirectory,
  uidStart,
  logger,
}: UidStartSources): Promise<void> {
  if (uidStart >= minUidStart) return;
  for (const projectId of ledger.projectIds()) {
    const index = await findUidIndex({ dataDirectory, projectId, uidStart });
    if (index === null || index !== ledger.findUidIndex(projectId)) continue;
    return logger.warn(
      { uidStart, minUidStart },
      "TIJOLO_UID_START is so low that projects may have the user ids of this machine's users; set a higher one once the host has no projects",
    );
  }
  throw new Error(`TIJOLO_UID_START must be at least ${minUidStart}, not ${uidStart}.`);
}
