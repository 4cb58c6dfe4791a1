/** Frees what no project of this host uses any more, and mends what other software on the machine took away. */

import type { MachineParts } from "../machine-parts.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { readRecord } from "./project-record.ts";

export async function keepHouse(ledger: Ledger, { images, network }: Pick<MachineParts, "images" | "network">): Promise<void> {
  const projectIds = ledger.projectIds();
  await network.reconcile(projectIds);
  const layersInUse = projectIds.flatMap((projectId) => readRecord(ledger.findRecord(projectId))?.imageLayers ?? []);
  await images.prune(new Set(layersInUse));
}
