/**
 * Ends and removes what an earlier agent left unfinished: install steps, half-made starts, runs that were
 * over.
 */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Cgroups } from "../../host/cgroups/cgroup.ts";
import { directoryNames, findRunRecord, isStarted } from "../run-record.ts";
import { killContainer, removeContainer } from "./container.ts";
import {
  endedName,
  placeOfDirectory,
  projectPlace,
  withOwnGroups,
  type ContainerPlace,
} from "./container-place.ts";
import { removeTemporaries } from "./install.ts";

export interface Sweep {
  dataDirectory: string;
  cgroups: Cgroups;
  logger: Pick<Logger, "warn">;
}

/**
 * Sweeps one run after the other: what cannot be removed, on a disk that accepts no more writes, is logged,
 * and does not prevent the others. A run whose record cannot be read is such a case: it may still be running.
 */
export async function sweepRuns({ dataDirectory, cgroups, logger }: Sweep): Promise<void> {
  await mkdir(join(dataDirectory, "runs"), { recursive: true });
  for (const projectId of await directoryNames(join(dataDirectory, "runs"))) {
    const project = projectPlace(dataDirectory, projectId);
    for (const name of await directoryNames(project.runs)) {
      const place = await withOwnGroups(cgroups, placeOfDirectory(dataDirectory, projectId, name));
      const isInstall = name.startsWith("install-");
      if (!isInstall && endedName(name) === undefined && !(await isHalfMade(cgroups, place))) continue;
      try {
        await killContainer(cgroups, place);
        if (isInstall) await removeTemporaries(join(project.disk, "home"));
        await removeContainer(cgroups, place);
      } catch (error) {
        logger.warn(
          { err: error, projectId, run: name },
          "what an earlier agent left of a run could not be removed",
        );
      }
    }
  }
}

async function isHalfMade(cgroups: Cgroups, place: ContainerPlace): Promise<boolean> {
  if ((await findRunRecord(place.run)) === undefined) return true;
  // In this order: one that starts and ends between the two looks has started.
  return !(await cgroups.isPopulated(place.shimGroup)) && !(await isStarted(place.run));
}
