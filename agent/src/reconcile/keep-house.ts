/** Frees what no project of this host uses any more, and restores what other software removed. */

import type { InstallCache } from "../install-cache/install-cache.ts";
import type { AccessLogs } from "../logs/access-logs.ts";
import type { MachineParts } from "../machine-parts.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { layerUses, projectImages } from "../reports/image-use.ts";
import { readRecord } from "../project/record.ts";
import { installsOf } from "../project/succession.ts";
import type { ReplacedFiles } from "../versions/merge/replaced-files.ts";

export interface House extends Pick<MachineParts, "images" | "network" | "statics"> {
  ledger: Ledger;
  installCache: Pick<InstallCache, "collect">;
  replacedFiles: Pick<ReplacedFiles, "collect">;
  accessLogs: Pick<AccessLogs, "collect">;
  clock: { now(): number };
}

export async function keepHouse({
  ledger,
  images,
  network,
  statics,
  installCache,
  replacedFiles,
  accessLogs,
  clock,
}: House): Promise<void> {
  ledger.eraseDeleted();
  if (!ledger.hasTakenSet()) return; // what runs here may be in use by projects that a lost ledger no longer knows
  const projectIds = ledger.projectIds();
  await network.reconcile(projectIds);
  await statics?.reconcile(projectIds);
  const pulled = ledger.pulledImages().flatMap(({ layers }) => layers);
  await images.prune(new Set([...layerUses(projectImages(ledger)).keys(), ...pulled]));
  await installCache.collect();
  await replacedFiles.collect(projectIds);
  await accessLogs.collect(projectIds, clock.now());
}

/**
 * Returns the directories of the layers that installs have made, and that projects run on or are to be
 * started with.
 */
export function installLayersInUse(ledger: Ledger): Set<string> {
  const records = ledger.projectIds().map((projectId) => readRecord(ledger.findRecord(projectId)));
  return new Set(
    records.flatMap((record) => {
      if (record === undefined) return [];
      const installed = installsOf(record).flatMap(({ layers }) => layers ?? []);
      return [
        ...installed.map(({ directory }) => directory),
        ...record.runLayers,
        ...(record.leaving?.runLayers ?? []),
      ];
    }),
  );
}
