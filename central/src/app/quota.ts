/** What an account may still have on its plan; checked inside the transaction that uses it. */

import { AppError, type Plan, type ProjectSettings } from "@tijolo/protocol";
import { listProjects } from "../db/project.ts";
import type { Transaction } from "../db/schema.ts";

/** Throws unless the account has room for the project with these settings; `projectId` null: a new one. */
export async function assertRoomFor(
  tx: Transaction,
  input: { accountId: string; plan: Plan; settings: ProjectSettings; projectId: string | null },
): Promise<void> {
  const { plan, settings } = input;
  const others = (await listProjects(tx, input.accountId)).filter((project) => project.id !== input.projectId);
  if (input.projectId === null && others.length >= plan.projects) {
    throw new AppError("project_limit_reached", { extra: { limit: plan.projects } });
  }
  if (settings.type === "site") {
    if (plan.sites === 0) throw new AppError("site_not_allowed");
    const sites = others.filter((project) => project.settings.type === "site").length;
    if (sites >= plan.sites) throw new AppError("site_limit_reached", { extra: { limit: plan.sites } });
  }
  assertMemory("insufficient_memory", plan, others, settings.memoryMb);
}

/** Throws `plan_limit_reached` when the project does not fit beside those that are on. */
export async function assertRoomToRun(
  tx: Transaction,
  input: { accountId: string; plan: Plan; memoryMb: number; projectId: string },
): Promise<void> {
  const others = (await listProjects(tx, input.accountId)).filter((project) => project.id !== input.projectId && project.run === "on");
  assertMemory("plan_limit_reached", input.plan, others, input.memoryMb);
}

function assertMemory(
  code: "insufficient_memory" | "plan_limit_reached",
  plan: Plan,
  others: { settings: ProjectSettings }[],
  requestedMemoryMb: number,
): void {
  const freeMemoryMb = Math.max(0, plan.memoryMb - others.reduce((sum, { settings }) => sum + settings.memoryMb, 0));
  if (requestedMemoryMb > freeMemoryMb) throw new AppError(code, { extra: { freeMemoryMb, requestedMemoryMb } });
}
