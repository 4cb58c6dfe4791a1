/**
 * Finds projects that have a disk or a container on this host and of which its ledger knows nothing, as after
 * the loss of the ledger.
 */

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { id } from "@tijolo/protocol";
import type { Ledger } from "../ledger/ledger.ts";
import { projectPlace } from "../runtime/nspawn/container-place.ts";
import { uidCount } from "../runtime/nspawn/nspawn-argv.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { listProjects } from "../reports/inventory.ts";

export interface FoundProjectsSources {
  ledger: Pick<Ledger, "projectIds" | "assignments" | "noteFound">;
  runtime: Pick<Runtime, "instances">;
  dataDirectory: string;
  /** First of the user ids that containers get. */
  uidStart: number;
  logger: { warn(fields: object, message: string): void };
}

interface ProjectFiles {
  dataDirectory: string;
  projectId: string;
  uidStart: number;
}

/**
 * Notes these projects in the ledger, with the user ids that their files have. Only a project that the ledger
 * knows can be given up: otherwise an operator's removal would do nothing, and a container would keep running
 * beside the one of another host.
 */
export async function noteFoundProjects({
  ledger,
  runtime,
  dataDirectory,
  uidStart,
  logger,
}: FoundProjectsSources): Promise<void> {
  const known = new Set(ledger.projectIds());
  const running = (await runtime.instances())
    .map(({ projectId }) => projectId)
    .filter((name) => id.safeParse(name).success);
  const found = new Set(
    [...(await listProjects({ ledger, dataDirectory })), ...running].filter(
      (projectId) => !known.has(projectId),
    ),
  );
  if (found.size === 0) return;
  logger.warn(
    { projects: [...found] },
    "there are projects on this host that its ledger does not know; they stay until central gives them up",
  );
  ledger.noteFound(
    await Promise.all(
      [...found].map(async (projectId) => ({
        projectId,
        uidIndex: await findUidIndex({ dataDirectory, projectId, uidStart }),
      })),
    ),
  );
}

/**
 * Finds the uid index by which a project's files have their owner. Null: no container of the project has been
 * started, its disk cannot be looked at, or the owner is not one of the user ids from `uidStart` on.
 */
export async function findUidIndex({
  dataDirectory,
  projectId,
  uidStart,
}: ProjectFiles): Promise<number | null> {
  const { disk } = projectPlace(dataDirectory, projectId);
  for (const name of ["home", "app"]) {
    const owner = (await lstat(join(disk, name)).catch(() => null))?.uid;
    if (owner === undefined) continue;
    const index = (owner - uidStart) / uidCount;
    if (Number.isInteger(index) && index >= 0) return index;
  }
  return null;
}
