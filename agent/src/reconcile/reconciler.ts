/**
 * All projects of this host: one worker each, woken by what central wants, by what ends, and by the clock.
 */

import type { Instance } from "../runtime/runtime.ts";
import type { WorkerContext } from "../project/worker-context.ts";
import { ProjectWorker } from "../project/worker.ts";

/** Instances are compared with the kernel this often, should a notice have been missed. */
const compareEveryMs = 60_000;

export class Reconciler implements AsyncDisposable {
  readonly #context: WorkerContext;
  readonly #workers = new Map<string, ProjectWorker>();
  readonly #timer: NodeJS.Timeout;
  /** Until every instance is known and every worker knows what is wanted, none may plan. */
  #isReady = false;

  private constructor(context: WorkerContext) {
    this.#context = context;
    this.#timer = setInterval(() => void this.#compare(), compareEveryMs);
    this.#timer.unref();
  }

  /** Takes over what runs on this host and goes on from the ledger; central is not needed. */
  static async create(context: WorkerContext): Promise<Reconciler> {
    const reconciler = new Reconciler(context);
    context.runtime.onExit((ended) => reconciler.#see(ended));
    for (const instance of await context.runtime.instances())
      reconciler.#worker(instance.projectId).see(instance);
    reconciler.#isReady = true;
    reconciler.takeDesired();
    return reconciler;
  }

  /** What is wanted has changed in the ledger. */
  takeDesired(): void {
    const assignments = new Map(
      this.#context.ledger.assignments().map((assignment) => [assignment.projectId, assignment]),
    );
    const departures = this.#context.ledger.departures();
    const projectIds = new Set([
      ...assignments.keys(),
      ...this.#context.ledger.projectIds(),
      ...this.#workers.keys(),
    ]);
    for (const projectId of projectIds) {
      this.#worker(projectId).assign(assignments.get(projectId), departures.get(projectId));
    }
  }

  /** Central may hold any state for a project's newest. */
  tellStates(): void {
    for (const worker of this.#workers.values()) worker.tellState();
  }

  /** A project's worker, for parts that answer questions about it. */
  find(projectId: string): ProjectWorker | undefined {
    return this.#workers.get(projectId);
  }

  /** Projects that run now. */
  *running(): Iterable<ProjectWorker> {
    for (const worker of this.#workers.values()) {
      if (worker.record.observed.phase === "running") yield worker;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#workers.values()].map((worker) => worker.close()));
  }

  #worker(projectId: string): ProjectWorker {
    const known = this.#workers.get(projectId);
    if (known !== undefined) return known;
    const worker = new ProjectWorker(this.#context, projectId, () => this.#workers.delete(projectId));
    this.#workers.set(projectId, worker);
    return worker;
  }

  #see(instance: Instance): void {
    if (instance.exit !== null && this.#isGone(instance.projectId)) return;
    const worker = this.#worker(instance.projectId);
    worker.see(instance);
    if (this.#isReady) worker.wake();
  }

  /** The end of a run may be told after its project was removed. */
  #isGone(projectId: string): boolean {
    return !this.#workers.has(projectId) && !this.#context.ledger.projectIds().includes(projectId);
  }

  async #compare(): Promise<void> {
    try {
      for (const instance of await this.#context.runtime.instances()) {
        const known = this.#workers.get(instance.projectId)?.instance;
        if (known === undefined || (known.exit === null) !== (instance.exit === null)) this.#see(instance);
      }
    } catch (error) {
      this.#context.logger.error({ err: error }, "instances could not be compared with the kernel");
    }
  }
}
