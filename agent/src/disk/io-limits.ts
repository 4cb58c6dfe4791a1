/**
 * Sets how fast one project may use the disk: enough for ordinary projects, and not all that a disk can do.
 */

import type { IoLimits } from "../host/cgroups/cgroup.ts";
import type { ProjectDisks } from "./project-disks.ts";

const bytesPerSecond = 100 * 1024 * 1024;
const operationsPerSecond = 4_000;

/** Returns the same limits for the install step and every run, on every plan. */
export async function ioLimits(disks: Pick<ProjectDisks, "devices">, projectId: string): Promise<IoLimits> {
  return { devices: await disks.devices(projectId), bytesPerSecond, operationsPerSecond };
}
