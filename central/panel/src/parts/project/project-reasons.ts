/** What can be done with a project now, and why not. Pure: central decides, this only says it before the click. */

import { actionableOf } from "@tijolo/protocol/project";
import type { LiveAction, LiveProject } from "@tijolo/protocol/live";

export type Run = "start" | "stop" | "restart";
export const runs: readonly Run[] = ["start", "restart", "stop"];

/** Reasons of the panel beside the errors of the interface, as the texts have them. */
export type Reason =
  | "already_running"
  | "already_stopped"
  | "project_busy"
  | "install_pending"
  | "server_unavailable"
  | "account_suspended"
  | "not_told"
  | "other";

export interface Surroundings {
  /** What was pressed and is not told of yet. */
  pending: LiveAction | null;
  isSuspended: boolean;
  /** True while the project is that of the last visit. */
  isKept: boolean;
}

const known: readonly string[] = ["project_busy", "install_pending"] satisfies Reason[];

/** True where the way on is a start: nothing of it runs, and nothing is on its way. */
export function isDown({ project: { status } }: Pick<LiveProject, "project">): boolean {
  return status === "stopped" || status === "error" || status === "crash_loop";
}

/** Of each action null when it can be asked for, or the reason why not. */
export function reasonsOf(
  live: LiveProject,
  { pending, isSuspended, isKept }: Surroundings,
): Record<Run, Reason | null> {
  if (isKept) return { start: "not_told", restart: "not_told", stop: "not_told" };
  const action = pending ?? live.action;
  const { start, stop, restart } = actionableOf(
    live.project,
    action === null ? null : action === "stopping" ? "stop" : "start",
  );
  const reasonOf = (code: string | null, isUseless: Reason | null, isRun: boolean): Reason | null => {
    if (live.isHostAway) return "server_unavailable";
    if (isRun && isSuspended) return "account_suspended";
    if (code === null) return isUseless;
    return known.includes(code) ? (code as Reason) : "other";
  };
  const isRunning = live.project.status === "running" && action === null;
  return {
    start: reasonOf(start, isRunning ? "already_running" : null, true),
    restart: reasonOf(restart, null, true),
    stop: reasonOf(
      stop,
      live.project.status === "stopped" && action === null ? "already_stopped" : null,
      false,
    ),
  };
}

/**
 * Which of several projects an action is for: those that can take it and gain by it. A restart of what is stopped
 * would start it, which nobody means who restarts a list.
 */
export function takers(
  projects: readonly LiveProject[],
  run: Run,
  surroundings: (live: LiveProject) => Surroundings,
): LiveProject[] {
  return projects.filter((live) => {
    if (reasonsOf(live, surroundings(live))[run] !== null) return false;
    return run === "start" ? isDown(live) : run === "restart" ? !isDown(live) : true;
  });
}
