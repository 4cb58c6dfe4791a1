/** Checks what an account may still have on its plan, inside the transaction that uses it. */

import { AppError, type Plan, type ProjectSettings, type Words } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { listMemoryHolders, sumUsage } from "../../store/tables/accounts/account-usage.ts";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import type { Transaction } from "../../store/store.ts";

/**
 * Throws `account_suspended` or `beta_ending`: such an account starts nothing and receives no code; stopping
 * stays allowed.
 */
export function assertInGoodStanding({ suspendedAt, betaEndsAt }: AccountRow): void {
  if (suspendedAt !== null) throw new AppError("account_suspended");
  if (betaEndsAt !== null) throw new AppError("beta_ending");
}

/**
 * Throws unless the account has room for a project with these settings; `project` null: a new one.
 * A change that takes no more than the project has already is never refused, so that an account over its plan
 * can go back below it.
 */
export async function assertRoomFor(
  tx: Transaction,
  input: { accountId: string; plan: Plan; settings: ProjectSettings; project: ProjectRow | null },
): Promise<void> {
  const { plan, settings, project } = input;
  const others = await sumUsage(tx, input.accountId, project?.id ?? null);
  if (project === null && others.projects >= plan.projects) {
    throw new AppError("project_limit_reached", { extra: { limit: plan.projects } });
  }
  if (settings.type === "site" && (project === null || !isSite(project)))
    assertRoomForSite(plan, others.sites);
  if (project === null || settings.memoryMb > project.settings.memoryMb) {
    const room = { plan, usedMb: others.memoryMb, requestedMemoryMb: settings.memoryMb };
    await assertMemory("insufficient_memory", room, () => memoryAdvice(tx, input, room));
  }
}

/**
 * Throws unless the project may run beside those that are on. After a downgrade the account may have more
 * than may run.
 */
export async function assertRoomToRun(
  tx: Transaction,
  input: { accountId: string; plan: Plan; settings: ProjectSettings; projectId: string },
): Promise<void> {
  const { plan, settings } = input;
  const { running } = await sumUsage(tx, input.accountId, input.projectId);
  if (settings.type === "site") assertRoomForSite(plan, running.sites);
  if (running.projects >= plan.projects) {
    throw new AppError("project_limit_reached", {
      extra: { limit: plan.projects },
      detail: refusalDetails.orStopAnother,
    });
  }
  const room = { plan, usedMb: running.memoryMb, requestedMemoryMb: settings.memoryMb };
  await assertMemory("plan_limit_reached", room, () => stopAdvice(tx, input, room));
}

/** True also for a project that is served until its next start, and will be a bot then. */
export function isSite({ settings, servedSubdomain }: ProjectRow): boolean {
  return settings.type === "site" || servedSubdomain !== null;
}

function assertRoomForSite(plan: Plan, otherSites: number): void {
  if (plan.sites === 0) throw new AppError("site_not_allowed");
  if (otherSites >= plan.sites) throw new AppError("site_limit_reached", { extra: { limit: plan.sites } });
}

/** Memory of a plan, the part that other projects hold, and the part that is requested. */
interface MemoryRoom {
  plan: Plan;
  usedMb: number;
  requestedMemoryMb: number;
}

/** `advise` returns what would help, and is called only where the room is too small. */
async function assertMemory(
  code: "insufficient_memory" | "plan_limit_reached",
  room: MemoryRoom,
  advise: () => Promise<Words>,
): Promise<void> {
  const { requestedMemoryMb } = room;
  const freeMemoryMb = freeMemoryOf(room);
  if (requestedMemoryMb > freeMemoryMb)
    throw new AppError(code, { extra: { freeMemoryMb, requestedMemoryMb }, detail: await advise() });
}

function freeMemoryOf({ plan, usedMb }: MemoryRoom): number {
  return Math.max(0, plan.memoryMb - usedMb);
}

/** Largest number of projects that a refusal names. */
const namedHolders = 5;

/** Says which projects hold the plan's memory: stopped ones hold theirs too, as it is reserved. */
async function memoryAdvice(
  tx: Transaction,
  { accountId, project }: { accountId: string; project: ProjectRow | null },
  room: MemoryRoom,
): Promise<Words> {
  const { memoryMb } = room.plan;
  if (room.requestedMemoryMb > memoryMb) return refusalDetails.memoryOfPlan(memoryMb);
  const exceptProjectId = project?.id ?? null;
  const holders = await listMemoryHolders(tx, accountId, {
    exceptProjectId,
    isOn: false,
    limit: namedHolders,
  });
  return refusalDetails.memoryHeldBy(holders, { freeMb: freeMemoryOf(room), planMb: memoryMb });
}

/** Says which projects run on the plan's memory. */
async function stopAdvice(
  tx: Transaction,
  { accountId, projectId }: { accountId: string; projectId: string },
  room: MemoryRoom,
): Promise<Words> {
  const { memoryMb } = room.plan;
  if (room.requestedMemoryMb > memoryMb) return refusalDetails.memoryOfPlan(memoryMb);
  const holders = await listMemoryHolders(tx, accountId, {
    exceptProjectId: projectId,
    isOn: true,
    limit: namedHolders,
  });
  return refusalDetails.memoryRunBy(holders, { freeMb: freeMemoryOf(room), planMb: memoryMb });
}
