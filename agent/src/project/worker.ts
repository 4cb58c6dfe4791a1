/** Works on one project of this host: plans and executes one step at a time until nothing is left to do. */

import { backOffMs, withPlainTexts, type Assignment, type ReportEntry } from "@tijolo/protocol";
import type { KnownDeparture } from "../ledger/project-table.ts";
import type { Instance } from "../runtime/runtime.ts";
import type { WorkerContext } from "./worker-context.ts";
import { executeStep } from "./steps/execute-step.ts";
import { plan, type Step } from "./plan.ts";
import type { ProjectHandle } from "./project-handle.ts";
import { newRecord, readRecord, withObserved, type ProjectRecord } from "./record.ts";

/** Pauses after unexpected failures of a step, with jitter, so that projects are not retried together. */
const retryPauses = { minMs: 1_000, maxMs: 60_000, minShare: 0.5 };
const maxTimerMs = 2 ** 31 - 1;

export class ProjectWorker implements ProjectHandle {
  readonly projectId: string;
  readonly context: WorkerContext;
  assignment: Assignment | undefined;
  departure: KnownDeparture | undefined;
  record: ProjectRecord;
  instance: Instance | undefined;
  readonly #onRemoved: () => void;
  #failures = 0;
  #isWoken = false;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #step: { kind: Step["kind"]; versionNumber: number; abort: AbortController } | null = null;
  #isClosed = false;

  constructor(context: WorkerContext, projectId: string, onRemoved: () => void) {
    this.context = context;
    this.projectId = projectId;
    this.#onRemoved = onRemoved;
    this.record = readRecord(context.ledger.findRecord(projectId)) ?? newRecord;
  }

  /**
   * Takes a new desired state. An install or a start that is no longer wanted is aborted. A project that
   * departed is never run.
   */
  assign(wanted: Assignment | undefined, departure?: KnownDeparture): void {
    const assignment =
      wanted === undefined || departure === undefined ? wanted : { ...wanted, run: "off" as const };
    const isOfLaterGeneration =
      this.assignment !== undefined &&
      assignment !== undefined &&
      assignment.generation > this.assignment.generation;
    this.assignment = assignment;
    this.departure = departure;
    if (isOfLaterGeneration) this.tellState(); // what was told under the one before counts no more
    const step = this.#step;
    const isUnwanted =
      (step?.kind === "install" && assignment?.versionNumber !== step.versionNumber) ||
      (step?.kind === "start" &&
        (assignment?.versionNumber !== step.versionNumber || assignment.run === "off"));
    if (isUnwanted) step.abort.abort(new Error(`the ${step.kind} is not wanted any more`));
    this.wake();
  }

  wake(): void {
    if (this.#isClosed) return;
    this.#isWoken = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#isWoken) this.wake();
    });
  }

  see(instance: Instance): void {
    const known = this.instance;
    const isOlder =
      known !== undefined &&
      (instance.runNumber < known.runNumber ||
        (instance.runNumber === known.runNumber && known.exit !== null && instance.exit === null));
    const isRecorded = instance.exit === null && instance.runNumber <= this.record.endedRunNumber;
    if (!isOlder && !isRecorded) this.instance = instance;
  }

  save(record: ProjectRecord, events: ReportEntry["event"][] = []): void {
    const errorDetails = withPlainTexts(record.observed.errorDetails);
    this.record = withObserved(record, { errorDetails });
    this.context.ledger.saveRecord(this.projectId, this.record, [
      ...events,
      { kind: "state", state: this.record.observed },
    ]);
    this.#tellNetwork();
    this.context.wakeOutbox();
  }

  /** Records that a run of a site listens on its port. */
  noteListening(runNumber: number): void {
    const { instance, record } = this;
    if (instance === undefined || instance.exit !== null || instance.runNumber !== runNumber) return;
    if (!record.observed.hasComeUp) this.save(withObserved(record, { hasComeUp: true }));
  }

  /** Reports to central once more what is saved. */
  tellState(): void {
    if (this.context.ledger.findRecord(this.projectId) !== undefined) this.save(this.record);
  }

  /**
   * Ends after the current step; an install, or a wait for an image, is interrupted and made again by the
   * next agent.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#step?.abort.abort(new Error("the agent stops"));
    await this.#running;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false;
      this.#tellNetwork();
      const { assignment, departure, record, instance, context } = this;
      const step = plan({ assignment, departure, record, instance, nowMs: context.clock.now() });
      if (step.kind === "idle") {
        if (step.wakeAtMs !== null) this.#wakeAfter(step.wakeAtMs - this.context.clock.now());
        continue;
      }
      await this.#execute(step);
    }
  }

  async #execute(step: Exclude<Step, { kind: "idle" }>): Promise<void> {
    const abort = new AbortController();
    this.#step = { kind: step.kind, versionNumber: this.assignment?.versionNumber ?? 0, abort };
    try {
      await executeStep(this, step, abort.signal);
      this.#failures = 0;
      this.#isWoken = true;
      if (step.kind === "remove") {
        this.#isClosed = true;
        this.#onRemoved();
      }
    } catch (error) {
      if (abort.signal.aborted) {
        this.#isWoken = true;
        return;
      }
      this.context.logger.error(
        { err: error, projectId: this.projectId, step: step.kind },
        "a step failed; it will be tried again",
      );
      this.#wakeAfter(backOffMs(++this.#failures, { ...retryPauses, random: this.context.random }));
    } finally {
      this.#step = null;
    }
  }

  /**
   * Lets the project's name resolve while a process of it runs that was not told to stop; a static site has
   * no process and no address.
   */
  #tellNetwork(): void {
    const isUp = this.instance?.exit === null && this.record.observed.phase !== "stopping";
    this.context.network.setRunning(this.projectId, isUp);
  }

  #wakeAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(0, ms), maxTimerMs));
    this.#timer.unref();
  }
}
