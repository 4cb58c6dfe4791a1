/** Sets the disk limit of every plan of a cluster, as an operator changes it. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RealCluster } from "../cluster/real-cluster.ts";

export async function setDiskLimit(cluster: RealCluster, diskMbPerProject: number): Promise<void> {
  const file = join(cluster.directory, "plans.json");
  const settings = JSON.parse(await readFile(file, "utf8")) as { plans: Record<string, object> };
  for (const [name, plan] of Object.entries(settings.plans))
    settings.plans[name] = { ...plan, diskMbPerProject };
  await writeFile(file, JSON.stringify(settings));
  await cluster.central.stop();
  await cluster.startCentral();
  await cluster.untilConnected();
}
