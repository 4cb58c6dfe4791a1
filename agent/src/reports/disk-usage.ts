/** Measures how full each running project's disk is, and adapts its limit to the plan where it can. */

import type { OwnerMessage } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { ProjectDisks } from "../disk/project-disks.ts";

export interface DiskUsageOptions {
  disks: Pick<ProjectDisks, "usage" | "resize">;
  /** Returns the mebibytes that the project may use by the desired state; undefined if unwanted. */
  limitOf: (projectId: string) => number | undefined;
  /** Writes the message into the project's log. */
  tell: (projectId: string, message: OwnerMessage) => Promise<unknown>;
  logger: Pick<Logger, "warn">;
}

/**
 * Number of calls of {@link DiskUsage.keepUp} after which a project is measured although its cpu counter,
 * which any work of a run moves, has not changed.
 */
const callsAtRest = 6;

interface Look {
  cpuUsec: number;
  wantedMb: number | undefined;
  callsSince: number;
}

export class DiskUsage implements AsyncDisposable {
  readonly #options: DiskUsageOptions;
  readonly #usedMb = new Map<string, number>();
  /** Last measurement of each project; a missing one is due. */
  readonly #looks = new Map<string, Look>();
  /** Limits that were requested already: what could not be done then is done at the next start. */
  readonly #asked = new Map<string, number>();
  /**
   * Projects whose failure was reported; reported once until the project is started anew, or its disk is well
   * again.
   */
  readonly #failing = new Set<string>();
  readonly #readOnly = new Set<string>();
  #isClosed = false;
  #round: Promise<void> | null = null;

  constructor(options: DiskUsageOptions) {
    this.#options = options;
  }

  /** Returns the newest measurement in mebibytes; null before the first. */
  find(projectId: string): number | null {
    return this.#usedMb.get(projectId) ?? null;
  }

  /**
   * Must be called every few seconds with what runs: measures each project that is due, one after the other,
   * unless a round is running. A project is due when it has used the cpu since the last measurement, or gets
   * another limit; one at rest, more rarely.
   */
  keepUp(running: ReadonlyMap<string, { cpuUsec: number }>): void {
    for (const known of [this.#usedMb, this.#looks, this.#asked, this.#failing, this.#readOnly]) {
      for (const projectId of known.keys()) if (!running.has(projectId)) known.delete(projectId);
    }
    if (this.#isClosed || this.#round !== null) return;
    const due = [...running]
      .filter(([projectId, { cpuUsec }]) => this.#isDue(projectId, cpuUsec))
      .map(([projectId]) => projectId);
    if (due.length > 0) this.#round = this.#lookAt(due).finally(() => (this.#round = null));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#round;
  }

  /** True when a measurement is due; it then counts as begun. */
  #isDue(projectId: string, cpuUsec: number): boolean {
    const last = this.#looks.get(projectId);
    const wantedMb = this.#options.limitOf(projectId);
    if (
      last !== undefined &&
      last.cpuUsec === cpuUsec &&
      last.wantedMb === wantedMb &&
      ++last.callsSince < callsAtRest
    )
      return false;
    this.#looks.set(projectId, { cpuUsec, wantedMb, callsSince: 0 });
    return true;
  }

  async #lookAt(projectIds: readonly string[]): Promise<void> {
    for (const projectId of projectIds) {
      if (this.#isClosed) return;
      try {
        const { usedMb, limitMb, isReadOnly = false } = await this.#options.disks.usage(projectId);
        this.#usedMb.set(projectId, usedMb);
        await this.#noticeReadOnly(projectId, isReadOnly);
        await this.#follow(projectId, limitMb);
        this.#failing.delete(projectId);
      } catch (error) {
        this.#looks.delete(projectId);
        if (!this.#failing.has(projectId))
          this.#options.logger.warn({ err: error, projectId }, "a project's disk could not be looked at");
        this.#failing.add(projectId);
      }
    }
  }

  async #noticeReadOnly(projectId: string, isReadOnly: boolean): Promise<void> {
    if (!isReadOnly) this.#readOnly.delete(projectId);
    if (!isReadOnly || this.#readOnly.has(projectId)) return;
    this.#readOnly.add(projectId);
    this.#options.logger.warn(
      { projectId },
      "the disk of a project met an error and is read-only until the project's next start",
    );
    await this.#options.tell(projectId, { code: "disk_read_only" });
  }

  async #follow(projectId: string, limitMb: number | null): Promise<void> {
    const wantedMb = this.#options.limitOf(projectId);
    if (
      limitMb === null ||
      wantedMb === undefined ||
      wantedMb === limitMb ||
      this.#asked.get(projectId) === wantedMb
    )
      return;
    this.#asked.set(projectId, wantedMb);
    await this.#options.disks.resize(projectId, wantedMb);
  }
}
