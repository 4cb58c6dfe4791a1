/** Judges when a project that was requested to run has come up, has ended, or keeps crashing. */

import type { Project } from "@tijolo/protocol";

/** Milliseconds of uptime after which a project counts as up. */
const settleMs = 700;
/** Milliseconds of uptime likewise, after a crash. */
const settleAfterCrashMs = 5_000;
/** Number of crashes in a row that are reported at once; the host goes on trying until 5. */
const tellingCrashes = 2;

export type Outcome = "running" | "stopped" | "failed";

/** Receives each state that is seen; records when the present run was first seen. */
export class Settling {
  readonly #clock: { now(): number };
  readonly #recheck: (afterMs: number) => void;
  #run: { startedAt: string | null; seenAt: number } | null = null;

  /** `recheck` requests that the state is read again after a while. */
  constructor(clock: { now(): number }, recheck: (afterMs: number) => void) {
    this.#clock = clock;
    this.#recheck = recheck;
  }

  isDone(project: Project): boolean {
    if (isCrashing(project)) return true;
    switch (project.status) {
      case "creating":
      case "installing":
      case "restarting":
        this.#run = null;
        return false;
      case "stopped":
      case "error":
      case "crash_loop":
        return true;
      case "running":
        return this.#isUp(project);
    }
  }

  #isUp({ startedAt, consecutiveCrashes }: Project): boolean {
    const now = this.#clock.now();
    if (this.#run === null || this.#run.startedAt !== startedAt) this.#run = { startedAt, seenAt: now };
    const leftMs = this.#run.seenAt + (consecutiveCrashes === 0 ? settleMs : settleAfterCrashMs) - now;
    if (leftMs > 0) this.#recheck(leftMs);
    return leftMs <= 0;
  }
}

export function outcomeOf(project: Project): Outcome {
  if (project.status === "stopped") return "stopped";
  return project.status === "running" && !isCrashing(project) ? "running" : "failed";
}

function isCrashing({ status, consecutiveCrashes }: Project): boolean {
  return (status === "running" || status === "restarting") && consecutiveCrashes >= tellingCrashes;
}
