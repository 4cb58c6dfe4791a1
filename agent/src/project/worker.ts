/** Works on one project of this host: plans and executes one step at a time until nothing is left to do. */

import { backOffMs, withPlainTexts, type Assignment, type ReportEntry } from "@tijolo/protocol";
import type { PortSeen } from "../diagnosis/port-watch.ts";
import type { KnownDeparture } from "../ledger/project-table.ts";
import type { Instance } from "../runtime/runtime.ts";
import type { WorkerContext } from "./worker-context.ts";
import { executeStep } from "./steps/execute-step.ts";
import { plan } from "./plan.ts";
import type { ProjectHandle } from "./project-handle.ts";
import { isUp, meshAddressOf, siteOf, type SeenProject } from "./answering-run.ts";
import { leavingAnswers, setAside } from "./leaving-run.ts";
import { newRecord, readRecord, withObserved, type ProjectRecord } from "./record.ts";
import { isServedStatic, staticSiteOf } from "./static-site.ts";
import { reportedState } from "./reported-state.ts";
import type { Step } from "./step.ts";
import { withOnFailure } from "./succession.ts";

/** Pauses after unexpected failures of a step, with jitter, so that projects are not retried together. */
const retryPauses = { minMs: 1_000, maxMs: 60_000, minShare: 0.5 };
const maxTimerMs = 2 ** 31 - 1;
/** Most times that crashes of what runs interrupt the install of one version: then it is finished first. */
const maxInterruptions = 2;

/** A step that is being executed, and what was wanted when it began. */
interface StepUnderWay {
  kind: Step["kind"];
  versionNumber: number;
  restartCount: number;
  abort: AbortController;
}

export class ProjectWorker implements ProjectHandle {
  readonly projectId: string;
  readonly context: WorkerContext;
  assignment: Assignment | undefined;
  departure: KnownDeparture | undefined;
  record: ProjectRecord;
  instance: Instance | undefined;
  leaving: Instance | undefined;
  readonly #onRemoved: () => void;
  #failures = 0;
  #isWoken = false;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #step: StepUnderWay | null = null;
  #isClosed = false;
  #hasResumed = false;
  /** How often the install of a version was interrupted because what runs had ended. */
  #interruptions = { versionNumber: 0, count: 0 };
  /** Result of the port watch of a run; `seen` is undefined before its first result. */
  #port: { runNumber: number; seen: PortSeen | undefined } | null = null;

  constructor(context: WorkerContext, projectId: string, onRemoved: () => void) {
    this.context = context;
    this.projectId = projectId;
    this.#onRemoved = onRemoved;
    this.record = readRecord(context.ledger.findRecord(projectId)) ?? newRecord;
  }

  get isClosing(): boolean {
    return this.#isClosed;
  }

  /** Takes a new desired state, and aborts a step that it makes pointless. A project that departed is never run. */
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
    if (step !== null && isPointless(step, assignment))
      step.abort.abort(new Error(`the ${step.kind} is not wanted any more`));
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
    if (instance.runNumber === this.record.leaving?.runNumber) {
      if (this.leaving?.exit == null) this.leaving = instance;
      return;
    }
    const known = this.instance;
    const isOlder =
      known !== undefined &&
      (instance.runNumber < known.runNumber ||
        (instance.runNumber === known.runNumber && known.exit !== null && instance.exit === null));
    const isRecorded = instance.exit === null && instance.runNumber <= this.record.endedRunNumber;
    if (isOlder || isRecorded) return;
    this.instance = instance;
    if (instance.exit === null) return;
    this.#interruptInstall();
    // Visitors of the run that leaves are not waited for while nobody answers new ones.
    if (this.#step?.kind === "retire") this.#step.abort.abort(new Error("what runs has ended"));
  }

  setAside(instance: Instance): void {
    this.instance = undefined;
    this.leaving = instance;
    this.save(setAside(this.record, instance, this.context.clock.now()));
  }

  /**
   * Saves the record, and reports the events and the new state. No state is reported of a project that
   * central has given up here: a central that was restored from a backup has the project here again, and
   * would take the end of the run for the end of what is wanted.
   */
  save(record: ProjectRecord, events: ReportEntry["event"][] = []): void {
    if (!isServedStatic(record, this.assignment)) void this.context.statics?.withdraw(this.projectId);
    const seen = seenWith(this, record);
    const places = { site: siteOf(seen), ...meshAddressOf(seen) };
    const saved = withObserved(withPlainDetails(record), places);
    const state = { kind: "state", state: reportedState(saved) } as const;
    this.context.ledger.saveRecord(
      this.projectId,
      saved,
      this.departure === undefined ? [...events, state] : events,
    );
    this.record = saved;
    this.#tellNetwork();
    this.context.wakeOutbox();
  }

  /** Reports to central once more what is saved. */
  tellState(): void {
    if (this.context.ledger.findRecord(this.projectId) !== undefined) this.save(this.record);
  }

  watchPort(): void {
    const { runNumber, settings, startedWith } = this.record;
    if (settings === null || this.#port?.runNumber === runNumber) return;
    this.#port = { runNumber, seen: undefined };
    const { context, instance } = this;
    const ageMs =
      instance === undefined ? 0 : Math.max(0, context.clock.now() - instance.startedAt.getTime());
    const { language } = settings;
    context.portWatch.watch(
      this.projectId,
      runNumber,
      { language, port: (startedWith ?? settings).port },
      ageMs,
    );
  }

  /** Receives the result of the port watch of a run. */
  notePort(runNumber: number, seen: PortSeen): void {
    if (this.#port?.runNumber !== runNumber || this.record.observed.hasComeUp) return;
    this.#port = { runNumber, seen };
    this.wake();
  }

  /**
   * Ends after the current step; an install, or a wait for an image or for visitors, is interrupted and made
   * again by the next agent.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#step?.abort.abort(new Error("the agent stops"));
    await this.#running;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#hasResumed) await this.#resumeStatic();
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false;
      this.#tellNetwork();
      const step = this.#plan();
      if (step.kind === "idle") {
        const { phase, hasComeUp, meshAddress } = this.record.observed;
        if (phase === "running" && !hasComeUp) this.watchPort();
        // An agent from before the mesh left it out.
        if (meshAddress === undefined && meshAddressOf(this).meshAddress != null) this.tellState();
        if (step.wakeAtMs !== null) this.#wakeAfter(step.wakeAtMs - this.context.clock.now());
        continue;
      }
      await this.#execute(step);
    }
  }

  /** Has a static site that an earlier agent has started served as this agent serves them. */
  async #resumeStatic(): Promise<void> {
    if (this.#hasResumed) return;
    this.#hasResumed = true;
    const { record, assignment, context, projectId } = this;
    if (record.observed.phase !== "running" || !isServedStatic(record, assignment)) return;
    const settings = record.startedWith ?? assignment?.settings;
    const site = settings && staticSiteOf(this, settings);
    if (site !== undefined) await context.statics?.serve(projectId, site);
  }

  #plan(): Step {
    this.record = withOnFailure(this.record, this.assignment);
    const { assignment, departure, record, instance, leaving, context } = this;
    const port = this.#port?.runNumber === record.runNumber ? this.#port.seen : undefined;
    const hasFailed = this.#failures > 0;
    const nowMs = context.clock.now();
    const hasRoomBeside = assignment?.deploy === "overlap" && this.#hasRoomBeside(assignment);
    return plan({ assignment, departure, record, instance, leaving, port, hasFailed, hasRoomBeside, nowMs });
  }

  #hasRoomBeside({ settings: { memoryMb } }: Assignment): boolean {
    return this.context.runtime.canRunBeside && this.context.freeMemoryMb() >= memoryMb;
  }

  /**
   * Ends an install beside which what runs has ended: that is started again first. Where it ends again and
   * again, it does not keep the new code, which may mend it, from being installed.
   */
  #interruptInstall(): void {
    const step = this.#step;
    if (this.assignment?.run !== "on" || this.record.installed === null) return;
    if (step?.kind !== "install" || step.abort.signal.aborted) return;
    const { versionNumber } = step;
    const isOfOther = this.#interruptions.versionNumber !== versionNumber;
    const count = isOfOther ? 0 : this.#interruptions.count;
    if (count >= maxInterruptions) return;
    this.#interruptions = { versionNumber, count: count + 1 };
    step.abort.abort(new Error("what runs has ended"));
  }

  async #execute(step: Exclude<Step, { kind: "idle" }>): Promise<void> {
    const abort = new AbortController();
    const { versionNumber = 0, restartCount = 0 } = this.assignment ?? {};
    this.#step = { kind: step.kind, versionNumber, restartCount, abort };
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
   * no process and no address. Lets gateways on other hosts reach a site that is up.
   */
  #tellNetwork(): void {
    const { network } = this.context;
    network.setRunning(this.projectId, isUp(this), leavingAnswers(this));
    const site = siteOf(this);
    network.setSite(this.projectId, site === null || site.isStatic ? null : site.port);
  }

  #wakeAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(0, ms), maxTimerMs));
    this.#timer.unref();
  }
}

/**
 * True for an install or a start of what is no longer wanted, for a stop's wait for visitors when no run is to
 * follow, and for a wait for those of the run that leaves when the newest is to be replaced as well.
 */
function isPointless(
  { kind, versionNumber, restartCount }: StepUnderWay,
  wanted: Assignment | undefined,
): boolean {
  const isOther = wanted?.versionNumber !== versionNumber;
  const isOff = wanted?.run !== "on";
  return (
    (kind === "install" && isOther) ||
    (kind === "start" && (isOther || isOff)) ||
    (kind === "stop" && isOff) ||
    (kind === "retire" && (isOther || isOff || wanted?.restartCount !== restartCount))
  );
}

/** Returns the project as it is once the record is saved. */
function seenWith(worker: ProjectHandle, record: ProjectRecord): SeenProject {
  const { projectId, assignment, instance, leaving, context } = worker;
  return { projectId, assignment, instance, leaving, context, record };
}

/** Returns the record with details that central accepts, however long or odd the texts in them are. */
function withPlainDetails(record: ProjectRecord): ProjectRecord {
  const { next, observed } = record;
  const plain = withObserved(record, { errorDetails: withPlainTexts(observed.errorDetails) });
  if (next === null) return plain;
  return { ...plain, next: { ...next, errorDetails: withPlainTexts(next.errorDetails) } };
}
