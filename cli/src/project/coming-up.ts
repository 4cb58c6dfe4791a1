/** Decides, by the state that the service reports of a project, whether a requested run has come up. */

import type { Project, Version } from "@tijolo/protocol";

/**
 * Result of a requested run:
 * - `up`: it came up;
 * - `off`: the code is installed, and no run was requested;
 * - `ended`: it ran and ended, by itself or because somebody stopped it;
 * - `failed`: it did not come up, and will not by itself;
 * - `crashing`: it crashed again and again before it came up, and the service goes on trying for minutes;
 * - `superseded`: newer code took its place before it came up;
 * - `silent`: it runs, and the service has not seen it come up in time.
 */
export type ComingUpEnd = "up" | "off" | "ended" | "failed" | "crashing" | "superseded" | "silent";

export interface Sighting {
  project: Project;
  /** Version that is to come up; null where none is known: then it is the run that has to last. */
  version: Version | null;
}

/**
 * Milliseconds that a run without a known version has to last to count as up, as the service has it for bots.
 */
const lastingMs = 5_000;
/** Milliseconds after which a run that has not come up is given up: a site has 60 s to listen. */
const silentMs = 75_000;
/**
 * Crashes in a row that are the result: the restart after the first one is at once, the next ones have
 * pauses.
 */
const crashesGivenUp = 2;
/** Milliseconds that a failed version has to be replaced by the one before it. */
const returnMs = 60_000;

export interface ComingUpOptions {
  clock: { now(): number };
  /** Requests that the state is read again after a while. */
  recheck: (afterMs: number) => void;
  /** Time of the project's last exit before the request; a later one is of the requested run. */
  exitBefore: string | null;
}

/** Receives each sighting until one of them is the end. */
export class ComingUp {
  readonly #options: ComingUpOptions;
  #run: { startedAt: string | null; seenAt: number; looks: number } | null = null;
  #failedAt: number | null = null;

  constructor(options: ComingUpOptions) {
    this.#options = options;
  }

  /** Returns the end; null while it is open. */
  judge({ project, version }: Sighting): ComingUpEnd | null {
    if (version?.status === "superseded") return "superseded";
    if (version?.status === "failed") return this.#judgeFailed(project);
    switch (project.status) {
      case "creating":
      case "installing":
        this.#run = null;
        return null;
      case "restarting":
        this.#run = null;
        return this.#hasRun(project) && project.consecutiveCrashes >= crashesGivenUp ? "crashing" : null;
      case "stopped":
        return this.#hasRun(project) ? "ended" : "off";
      case "error":
      case "crash_loop":
        return "failed";
      case "running":
        return this.#judgeRun(project, version);
    }
  }

  /** Waits until the service has finished its answer to the failure: the version before it may come back. */
  #judgeFailed({ status }: Project): ComingUpEnd | null {
    const now = this.#options.clock.now();
    this.#failedAt ??= now;
    const isMoving = status === "creating" || status === "installing" || status === "restarting";
    if (!isMoving || now - this.#failedAt >= returnMs) return "failed";
    this.#options.recheck(1_000);
    return null;
  }

  #judgeRun(project: Project, version: Version | null): ComingUpEnd | null {
    const { startedAt, type, language, consecutiveCrashes } = project;
    const now = this.#options.clock.now();
    if (this.#run?.startedAt !== startedAt || this.#run === null)
      this.#run = { startedAt, seenAt: now, looks: 0 };
    const ranMs = now - this.#run.seenAt;
    const hasLasted = ranMs >= lastingMs || language === "static";
    // A version that came up and crashed since has to come up once more.
    const isUp = version?.status === "live" && consecutiveCrashes === 0;
    const mayBeUp = version === null || version.status === "live";
    if (isUp || (mayBeUp && hasLasted)) return "up";
    if (ranMs >= silentMs) return "silent";
    const nextLookMs = Math.min(700 + this.#run.looks++ * 500, lastingMs);
    const isOfTime = mayBeUp || type === "bot";
    this.#options.recheck(isOfTime ? Math.max(lastingMs - ranMs, nextLookMs) : nextLookMs);
    return null;
  }

  /** Compares times of the host's clock only, which may differ from central's. */
  #hasRun({ lastExit }: Project): boolean {
    return lastExit !== null && lastExit.exitedAt !== this.#options.exitBefore;
  }
}
