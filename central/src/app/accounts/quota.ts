/** Checks what an account may still have on its plan, inside the transaction that uses it. */

import { AppError, type Plan, type ProjectSettings } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import type { AccountRow } from "../../store/tables/account.ts";
import { sumUsage } from "../../store/tables/account-usage.ts";
import type { ProjectRow } from "../../store/tables/project.ts";
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
    assertMemory("insufficient_memory", {
      plan,
      usedMb: others.memoryMb,
      requestedMemoryMb: settings.memoryMb,
    });
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
  assertMemory("plan_limit_reached", {
    plan,
    usedMb: running.memoryMb,
    requestedMemoryMb: settings.memoryMb,
  });
}

/** True also for a project that is served until its next start, and will be a bot then. */
export function isSite({ settings, servedSubdomain }: ProjectRow): boolean {
  return settings.type === "site" || servedSubdomain !== null;
}

function assertRoomForSite(plan: Plan, otherSites: number): void {
  if (plan.sites === 0) throw new AppError("site_not_allowed");
  if (otherSites >= plan.sites) throw new AppError("site_limit_reached", { extra: { limit: plan.sites } });
}

function assertMemory(
  code: "insufficient_memory" | "plan_limit_reached",
  { plan, usedMb, requestedMemoryMb }: { plan: Plan; usedMb: number; requestedMemoryMb: number },
): void {
  const freeMemoryMb = Math.max(0, plan.memoryMb - usedMb);
  if (requestedMemoryMb > freeMemoryMb)
    throw new AppError(code, { extra: { freeMemoryMb, requestedMemoryMb } });
}
