/** One project's actor on this host: plans and executes one step at a time until nothing is left to do. */

import type { Assignment, ReportEntry } from "@tijolo/protocol";
import type { Instance } from "../runtime/runtime.ts";
import type { AgentContext } from "./agent-context.ts";
import { executeStep } from "./execute-step.ts";
import { plan, type Step } from "./plan.ts";
import { newRecord, readRecord, type ProjectRecord } from "./project-record.ts";

/** After an unexpected failure of a step: doubles from the first to the second. */
const retryMinMs = 1_000;
const retryMaxMs = 60_000;
const maxTimerMs = 2 ** 31 - 1;

export class ProjectWorker {
  readonly projectId: string;
  readonly context: AgentContext;
  assignment: Assignment | undefined;
  record: ProjectRecord;
  /** As the runtime last said; kept here so that planning asks nobody. */
  instance: Instance | undefined;
  readonly #onRemoved: () => void;
  #failures = 0;
  #isWoken = false;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #step: { kind: Step["kind"]; versionNumber: number; abort: AbortController } | null = null;
  #isClosed = false;

  constructor(context: AgentContext, projectId: string, onRemoved: () => void) {
    this.context = context;
    this.projectId = projectId;
    this.#onRemoved = onRemoved;
    this.record = readRecord(context.ledger.findRecord(projectId)) ?? newRecord;
  }

  /** What is wanted has changed. An install that nobody wants any more is cut short. */
  assign(assignment: Assignment | undefined): void {
    this.assignment = assignment;
    const step = this.#step;
    if (step?.kind === "install" && assignment?.versionNumber !== step.versionNumber) {
      step.abort.abort(new Error("the install is not wanted any more"));
    }
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

  /** Saves the record and tells central of it (and of `events`) in one transaction. */
  save(record: ProjectRecord, events: ReportEntry["event"][] = []): void {
    this.record = record;
    this.context.ledger.saveRecord(this.projectId, record, [...events, { kind: "state", state: record.observed }]);
    this.context.wakeOutbox();
  }

  /** Ends after the step under way; an install is cut short and made again by the next agent. */
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
      const step = plan({ assignment: this.assignment, record: this.record, instance: this.instance, nowMs: this.context.clock.now() });
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
      this.context.logger.error({ err: error, projectId: this.projectId, step: step.kind }, "a step failed; it will be tried again");
      this.#wakeAfter(Math.min(retryMaxMs, retryMinMs * 2 ** this.#failures++));
    } finally {
      this.#step = null;
    }
  }

  #wakeAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(0, ms), maxTimerMs));
    this.#timer.unref();
  }
}
