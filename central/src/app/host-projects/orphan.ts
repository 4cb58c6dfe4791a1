/**
 * Lists orphans, of which an operator decides: what hosts hold that central does not have there, as after an
 * older database was restored.
 */

import {
  makeId,
  type HeldProject,
  type HostReference,
  type Orphan,
  type OrphanList,
  type RestoredProject,
} from "@tijolo/protocol";
import { findAccount } from "../../store/tables/accounts/account.ts";
import { listRestored } from "../../store/tables/accounts/activity.ts";
import { listDepartures } from "../../store/tables/hosts/departure.ts";
import { listHosts } from "../../store/tables/hosts/host.ts";
import { listPlacements } from "../../store/tables/projects/project.ts";
import { chooseHosts } from "../hosts/choose-hosts.ts";
import { askHeld, hasArchive, referenceOf, type HeldLink } from "./held-projects.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { isProven } from "./restore-project.ts";

const weekMs = 7 * 24 * 60 * 60 * 1000;
const maxRestored = 1_000;

export async function listOrphans(
  app: HostProjectsContext,
  link: HeldLink,
  { host: wanted }: { host?: string | undefined },
  signal: AbortSignal,
): Promise<OrphanList> {
  const chosen = await chooseHosts(app, wanted);
  const names = new Map((await listHosts(app.db)).map((host) => [host.id, referenceOf(host)]));
  const hosts = await Promise.all(
    chosen.map(async (host) => {
      const held = await askHeld(link, host.id, null, signal);
      const orphans = held === null ? [] : await orphansAmong(app, host.id, held, names);
      return { host: referenceOf(host), isReached: held !== null, orphans };
    }),
  );
  return { hosts, restored: await restoredLately(app) };
}

/** Returns the orphans, without projects that were deleted or moved: their host removes them by itself. */
async function orphansAmong(
  app: HostProjectsContext,
  hostId: string,
  held: readonly HeldProject[],
  names: ReadonlyMap<string, HostReference>,
): Promise<Orphan[]> {
  const placements = await listPlacements(app.db, { projectIds: held.map(({ projectId }) => projectId) });
  const placedOn = new Map(placements.map((placement) => [placement.projectId, placement.hostId]));
  const leaving = new Set(
    (await listDepartures(app.db, hostId)).flatMap((row) =>
      row.reason === "elsewhere" ? [] : [row.projectId],
    ),
  );
  const orphans = held.filter(({ projectId }) => {
    const isHere = placedOn.get(projectId) === hostId;
    return isHere ? app.heldBack.find(hostId, projectId) !== undefined : !leaving.has(projectId);
  });
  return Promise.all(
    orphans.map((orphan) =>
      viewOrphan(app, hostId, orphan, names.get(placedOn.get(orphan.projectId) ?? "") ?? null),
    ),
  );
}

async function viewOrphan(
  app: HostProjectsContext,
  hostId: string,
  held: HeldProject,
  placedOn: HostReference | null,
): Promise<Orphan> {
  const { projectId, assignment, isRunning, diskUsedMb, unwantedSince } = held;
  const account = assignment === null ? undefined : await findAccount(app.db, assignment.accountId);
  return {
    id: projectId,
    name: assignment?.project?.name ?? null,
    account: assignment === null ? null : { id: assignment.accountId, name: account?.name ?? null },
    versionNumber: assignment?.versionNumber ?? null,
    isRunning,
    diskUsedMb,
    unwantedSince,
    hasArchive: assignment !== null && (await hasArchive(app, assignment)),
    isProven: assignment !== null && isProven(app, { hostId, projectId }, assignment),
    placedOn,
    heldBack: placedOn?.id === hostId ? (app.heldBack.find(hostId, projectId) ?? null) : null,
  };
}

async function restoredLately({ db, clock }: HostProjectsContext): Promise<RestoredProject[]> {
  const rows = await listRestored(
    db,
    makeId(Math.max(0, clock.now() - weekMs), new Uint8Array(10)),
    maxRestored,
  );
  return rows.flatMap(({ project, accountId, at, after }) => {
    const note = after?.["note"];
    const isNote = note === "adopted" || note === "installed_anew" || note === "taken_over";
    return project === null || !isNote
      ? []
      : [{ project, account: { id: accountId }, at: new Date(at).toISOString(), note }];
  });
}
