/**
 * Takes a host's report of what it holds, before it receives the desired state. In most cases it is what
 * central knows. Where central's database was restored from a backup, the host knows more: its projects'
 * newer state is taken over, and of what is not known here nothing is lost.
 */

import type { HeldOutline } from "@tijolo/protocol";
import { deleteDeparture, listDepartures, saveDeparture } from "../../store/tables/hosts/departure.ts";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { listPlacements, savePlacement, type Placement } from "../../store/tables/projects/project.ts";
import { transact, type Transaction } from "../../store/store.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { installMissing } from "./install-missing.ts";

/** Implements `LinkBackend.takeInventory`. */
export async function takeInventory(
  app: HostProjectsContext,
  hostId: string,
  projects: HeldOutline[],
): Promise<{ tell: string[] }> {
  const held = new Map(projects.map((project) => [project.projectId, project]));
  const { tell, missing } = await transact(app.db, async (tx) => {
    const tell: string[] = [];
    const here = await listPlacements(tx, { hostId });
    const placedHere = new Set(here.map(({ projectId }) => projectId));
    const changed: string[] = [];
    const others = await listPlacements(tx, {
      projectIds: [...held.keys()].filter((projectId) => !placedHere.has(projectId)),
    });
    await forgetCarriedOut(tx, hostId, held);
    for (const placement of here) {
      const outline = held.get(placement.projectId);
      if (outline === undefined) continue;
      if (isNewer(outline, placement)) tell.push(placement.projectId);
      // Nothing but the number is known of it, and under an older one it would hear of nothing any more.
      else if (outline.generation > placement.generation) {
        await savePlacement(tx, { ...placement, generation: outline.generation });
        changed.push(placement.projectId);
      }
    }
    for (const placement of others) {
      const outline = held.get(placement.projectId);
      if (outline?.wanted != null && outline.generation > placement.generation)
        tell.push(placement.projectId);
      else if (await putAside(app, tx, hostId, placement.projectId)) changed.push(placement.projectId);
    }
    if (changed.length > 0) await wantedChanged(tx, hostId, changed);
    const isMissing = ({ projectId, observed }: Placement) => observed !== null && !held.has(projectId);
    return { tell, missing: here.filter(isMissing).map(({ projectId }) => projectId) };
  });
  app.heldBack.begin(hostId, { newer: tell, awaited: missing });
  // Not before: once every host has told, what no host is known to have is installed anew.
  app.inventories.note(hostId, projects);
  await installMissing(app);
  return { tell };
}

/**
 * True when the host's state is newer. A version that is not known here is always newer: its number is never
 * used for another.
 */
export function isNewer(
  { generation, wanted }: Pick<HeldOutline, "generation" | "wanted">,
  placement: Placement,
): boolean {
  if (wanted === null) return false;
  const isLater =
    (wanted.revision ?? 0) > placement.revision || wanted.versionNumber > placement.versionNumber;
  return generation > placement.generation || isLater;
}

/** Deletes the departures that the host has carried out: it holds nothing of these projects any more. */
async function forgetCarriedOut(
  tx: Transaction,
  hostId: string,
  held: ReadonlyMap<string, HeldOutline>,
): Promise<void> {
  for (const { projectId } of await listDepartures(tx, hostId)) {
    if (!held.has(projectId)) await deleteDeparture(tx, hostId, projectId);
  }
}

/**
 * Puts aside a project that central has on another host, so that it does not run on two. Returns false when
 * the host has been given this reason, or another one, before.
 */
export async function putAside(
  { clock }: HostProjectsContext,
  tx: Transaction,
  hostId: string,
  projectId: string,
): Promise<boolean> {
  const known = await listDepartures(tx, hostId);
  if (known.some((departure) => departure.projectId === projectId)) return false;
  await saveDeparture(tx, { hostId, projectId, reason: "elsewhere", createdAt: clock.now() });
  return true;
}
