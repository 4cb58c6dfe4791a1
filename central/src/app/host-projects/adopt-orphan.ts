/** Adopts orphans: a host's project becomes central's again, as an operator decides. */

import {
  AppError,
  type Assignment,
  type HeldProject,
  type HostReference,
  type OrphanAdopted,
  type OrphanAdoption,
} from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { findAccount } from "../../store/tables/accounts/account.ts";
import { deleteDeparture } from "../../store/tables/hosts/departure.ts";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { findProject, listPlacements, type ProjectRow } from "../../store/tables/projects/project.ts";
import { transact, type Transaction } from "../../store/store.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { findHeld, hasArchive, type HeldLink, type WantedOrphan } from "./held-projects.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { heldNowhere, refusal } from "./orphan-refusals.ts";
import { isProven, leaveHost, restoreProject } from "./restore-project.ts";

export async function adoptOrphan(
  app: HostProjectsContext,
  link: HeldLink,
  operator: OperatorActor,
  input: WantedOrphan & OrphanAdoption,
  signal: AbortSignal,
): Promise<OrphanAdopted> {
  const { projectId } = input;
  const { host, held } = await findOne(app, link, input, signal);
  const assignment = adoptableAssignment(app, host.id, held, input);
  const accountId = input.accountId ?? assignment.accountId;
  const { row, leftHost } = await app.projectQueues.run(projectId, () =>
    transact(app.db, (tx) => adopt(app, tx, { operator, hostId: host.id, held, assignment, accountId })),
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

/** Returns the one host that holds the project as an orphan, and what it holds. */
async function findOne(
  app: HostProjectsContext,
  link: HeldLink,
  input: WantedOrphan,
  signal: AbortSignal,
): Promise<{ host: HostReference; held: HeldProject }> {
  const placed = (await findProject(app.db, input.projectId))?.hostId;
  const found = await findHeld(app, link, input, signal);
  const isOrphan = ({ id }: HostReference) =>
    id !== placed || app.heldBack.find(id, input.projectId) !== undefined;
  const [first, ...others] = found.filter(({ host }) => isOrphan(host));
  if (first === undefined) throw found.length === 0 ? heldNowhere() : refusal(refusalDetails.noOrphan);
  if (others.length > 0)
    throw refusal(
      refusalDetails.orphanOnManyHosts([first, ...others].map(({ host }) => host.name).join(", ")),
    );
  return first;
}

/**
 * Returns the assignment by which the host knows the project. Throws when there is none, or when central did
 * not sign it and the operator does not trust the host.
 */
function adoptableAssignment(
  app: HostProjectsContext,
  hostId: string,
  { projectId, assignment }: HeldProject,
  { isHostTrusted }: Pick<OrphanAdoption, "isHostTrusted">,
): Assignment {
  if (assignment?.projectId !== projectId) throw refusal(refusalDetails.orphanHasNoSettings);
  if (!isHostTrusted && !isProven(app, { hostId, projectId }, assignment))
    throw refusal(refusalDetails.orphanUnproven);
  return assignment;
}

interface Adoption {
  operator: OperatorActor;
  hostId: string;
  held: HeldProject;
  /** The assignment in `held`, which is there. */
  assignment: Assignment;
  accountId: string;
}

/** Makes the host's project central's. `leftHost` is the other host that central had the project on. */
async function adopt(
  app: HostProjectsContext,
  tx: Transaction,
  { operator, hostId, held, assignment, accountId }: Adoption,
): Promise<{ row: ProjectRow; leftHost: string | null }> {
  const { projectId, observed } = held;
  const before = await findReplaceable(app, tx, { projectId, hostId, accountId });
  const [placement] = await listPlacements(tx, { projectIds: [projectId] });
  const row = await restoreProject(app, tx, {
    projectId,
    hostId,
    accountId,
    assignment,
    observed,
    before,
    actor: operator,
    generation: Math.max(held.generation, before?.generation ?? 0) + 1,
    revision: Math.max(assignment.project?.revision ?? 0, placement?.revision ?? 0) + 1,
    note: "adopted",
  });
  await deleteDeparture(tx, hostId, projectId);
  // Before its host is woken: what is sent then has the project.
  tx.onCommit(() => app.heldBack.release(hostId, projectId));
  await wantedChanged(tx, hostId, [projectId]);
  if (before === undefined || before.hostId === hostId) return { row, leftHost: null };
  await leaveHost(app, tx, before.hostId, projectId);
  return { row, leftHost: before.hostId };
}

/**
 * Returns the project's row, which the adoption replaces; undefined when central has none. Throws when the
 * account does not exist or is not the project's, and when central has the project on this host.
 */
async function findReplaceable(
  { heldBack }: Pick<HostProjectsContext, "heldBack">,
  tx: Transaction,
  { projectId, hostId, accountId }: { projectId: string; hostId: string; accountId: string },
): Promise<ProjectRow | undefined> {
  if ((await findAccount(tx, accountId)) === undefined)
    throw new AppError("not_found", { detail: refusalDetails.orphanHasNoAccount(accountId) });
  const before = await findProject(tx, projectId);
  if (before?.hostId === hostId && heldBack.find(hostId, projectId) === undefined)
    throw refusal(refusalDetails.noOrphan);
  if (before !== undefined && before.accountId !== accountId)
    throw refusal(refusalDetails.orphanOfOtherAccount);
  return before;
}
