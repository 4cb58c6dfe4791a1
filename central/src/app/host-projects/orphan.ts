/**
 * Handles orphans, of which an operator decides: what hosts hold that central does not have there, as after
 * an older database was restored.
 */

import {
  AppError,
  makeId,
  type Assignment,
  type HeldProject,
  type HostReference,
  type Orphan,
  type OrphanAdopted,
  type OrphanAdoption,
  type OrphanList,
  type RestoredProject,
  type Words,
} from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { findAccount } from "../../store/tables/account.ts";
import { listRestored } from "../../store/tables/activity.ts";
import { deleteDeparture, listDepartures, saveDeparture } from "../../store/tables/departure.ts";
import { listHosts, wantedChanged } from "../../store/tables/host.ts";
import { transact } from "../../store/store.ts";
import { findProject, listPlacements } from "../../store/tables/project.ts";
import type { OperatorActor } from "../identity/caller.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { recordAudit } from "../operators/audit.ts";
import { chooseHosts } from "../hosts/choose-hosts.ts";
import type { HostLink } from "../hosts/host-link.ts";
import { isProven, restoreProject } from "./restore-project.ts";

type HeldLink = Pick<HostLink, "ask">;
type Wanted = Pick<OrphanAdoption, "host"> & { projectId: string };

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
      const held = await ask(link, host.id, null, signal);
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

export async function adoptOrphan(
  app: HostProjectsContext,
  link: HeldLink,
  operator: OperatorActor,
  input: Wanted & OrphanAdoption,
  signal: AbortSignal,
): Promise<OrphanAdopted> {
  const { host, held } = await findOne(app, link, input, signal);
  const { projectId, assignment, observed } = held;
  if (assignment?.projectId !== projectId) throw refusal(refusalDetails.orphanHasNoSettings);
  if (!input.isHostTrusted && !isProven(app, { hostId: host.id, projectId }, assignment))
    throw refusal(refusalDetails.orphanUnproven);
  const accountId = input.accountId ?? assignment.accountId;
  const { row, leftHost } = await app.projectQueues.run(projectId, () =>
    transact(app.db, async (tx) => {
      if ((await findAccount(tx, accountId)) === undefined)
        throw new AppError("not_found", { detail: refusalDetails.orphanHasNoAccount(accountId) });
      const before = await findProject(tx, projectId);
      if (before?.hostId === host.id && app.heldBack.find(host.id, projectId) === undefined)
        throw refusal(refusalDetails.noOrphan);
      if (before !== undefined && before.accountId !== accountId)
        throw refusal(refusalDetails.orphanOfOtherAccount);
      const [placement] = await listPlacements(tx, { projectIds: [projectId] });
      const known = {
        projectId,
        hostId: host.id,
        accountId,
        assignment,
        observed,
        before,
        actor: operator,
        note: "adopted" as const,
      };
      const generation = Math.max(held.generation, before?.generation ?? 0) + 1;
      const revision = Math.max(assignment.project?.revision ?? 0, placement?.revision ?? 0) + 1;
      const restored = await restoreProject(app, tx, { ...known, generation, revision });
      await deleteDeparture(tx, host.id, projectId);
      // Before its host is woken: what is sent then has the project.
      tx.onCommit(() => app.heldBack.release(host.id, projectId));
      await wantedChanged(tx, host.id, [projectId]);
      if (before === undefined || before.hostId === host.id) return { row: restored, leftHost: null };
      await saveDeparture(tx, {
        hostId: before.hostId,
        projectId,
        reason: "moved",
        createdAt: app.clock.now(),
      });
      await wantedChanged(tx, before.hostId, [projectId]);
      return { row: restored, leftHost: before.hostId };
    }),
  );
  app.logger.info({ projectId, accountId, hostId: host.id, leftHost }, "an orphan was adopted");
  const { id, name, subdomain, versionNumber } = row;
  return {
    project: { id, name, subdomain, versionNumber },
    host,
    hasArchive: await hasArchive(app, assignment),
    hasVariables: assignment.variables !== null,
  };
}

/** Removes an orphan. A named host may be disconnected: it carries the removal out when it is back. */
export async function removeOrphan(
  app: HostProjectsContext,
  link: HeldLink,
  operator: OperatorActor,
  input: Wanted,
  signal: AbortSignal,
): Promise<{ hosts: HostReference[] }> {
  const { projectId } = input;
  const isNamed = input.host !== undefined;
  const hosts = isNamed
    ? (await chooseHosts(app, input.host)).map(referenceOf)
    : (await findAll(app, link, input, signal)).map(({ host }) => host);
  const removed = await app.projectQueues.run(projectId, () =>
    transact(app.db, async (tx) => {
      const placed = (await findProject(tx, projectId))?.hostId;
      const orphaned = hosts.filter(({ id }) => id !== placed);
      const isHeldBack = placed !== undefined && app.heldBack.find(placed, projectId) !== undefined;
      if (orphaned.length === 0)
        throw hosts.length === 0
          ? nowhere()
          : refusal(isHeldBack ? refusalDetails.heldBackHere : refusalDetails.noOrphan);
      for (const { id } of orphaned) {
        await saveDeparture(tx, { hostId: id, projectId, reason: "deleted", createdAt: app.clock.now() });
        tx.onCommit(() => app.heldBack.release(id, projectId));
        await wantedChanged(tx, id, [projectId]);
      }
      await recordAudit(app, tx, operator, {
        subject: { kind: "project", id: projectId, name: null },
        after: { removedFrom: orphaned.map(({ name }) => name) },
      });
      return orphaned;
    }),
  );
  app.logger.warn({ projectId, hosts: removed.map(({ id }) => id) }, "an orphan is removed");
  return { hosts: removed };
}

async function findOne(
  app: HostProjectsContext,
  link: HeldLink,
  input: Wanted,
  signal: AbortSignal,
): Promise<{ host: HostReference; held: HeldProject }> {
  const placed = (await findProject(app.db, input.projectId))?.hostId;
  const found = await findAll(app, link, input, signal);
  const isOrphan = ({ id }: HostReference) =>
    id !== placed || app.heldBack.find(id, input.projectId) !== undefined;
  const [first, ...others] = found.filter(({ host }) => isOrphan(host));
  if (first === undefined) throw found.length === 0 ? nowhere() : refusal(refusalDetails.noOrphan);
  if (others.length > 0)
    throw refusal(
      refusalDetails.orphanOnManyHosts([first, ...others].map(({ host }) => host.name).join(", ")),
    );
  return first;
}

async function findAll(
  app: HostProjectsContext,
  link: HeldLink,
  input: Wanted,
  signal: AbortSignal,
): Promise<{ host: HostReference; held: HeldProject }[]> {
  const hosts = await chooseHosts(app, input.host);
  const answers = await Promise.all(
    hosts.map(async (host) => {
      const held = await ask(link, host.id, input.projectId, signal);
      return (held ?? []).map((project) => ({ host: referenceOf(host), held: project }));
    }),
  );
  return answers.flat();
}

/** Asks the host; null: it does not answer. */
async function ask(
  link: HeldLink,
  hostId: string,
  projectId: string | null,
  signal: AbortSignal,
): Promise<HeldProject[] | null> {
  const held: HeldProject[] = [];
  try {
    for await (const items of link.ask(hostId, { kind: "held-projects", projectId }, signal)) {
      const projects = items.map(({ project }) => project);
      held.push(...projects.filter((project) => projectId === null || project.projectId === projectId));
    }
    signal.throwIfAborted();
    return held;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) return null;
    throw error;
  }
}

function hasArchive({ objects }: HostProjectsContext, { archive }: Assignment): Promise<boolean> {
  return objects.has(archive.sha256);
}

function referenceOf({ id, name }: HostReference): HostReference {
  return { id, name };
}

function refusal(detail: Words): AppError {
  return new AppError("invalid_request", { detail });
}

function nowhere(): AppError {
  return new AppError("not_found", {
    detail: refusalDetails.noHostHasProject,
  });
}
