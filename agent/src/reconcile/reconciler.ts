/**
 * Manages all projects of this host: one worker each, woken by changes of the desired state, by ended runs,
 * and by the clock.
 */

import type { Instance } from "../runtime/runtime.ts";
import type { WorkerContext } from "../project/worker-context.ts";
import { watchPort } from "../project/steps/watch-port.ts";
import { ProjectWorker } from "../project/worker.ts";

/** Milliseconds between two comparisons of the instances with the kernel, for missed notifications. */
const compareEveryMs = 60_000;

export class Reconciler implements AsyncDisposable {
  readonly #context: WorkerContext;
  readonly #workers = new Map<string, ProjectWorker>();
  readonly #timer: NodeJS.Timeout;
  /** True once every instance is known and every worker has its desired state: before that, none may plan. */
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
    for (const worker of reconciler.running()) watchPort(worker); // the watches ended with the agent before
    return reconciler;
  }

  /** Applies a change of the desired state in the ledger. */
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

  /** Reports the state of all projects again, because central may hold any state for a project's newest. */
  tellStates(): void {
    for (const worker of this.#workers.values()) worker.tellState();
  }

  /** Returns a project's worker, for parts that answer requests about it. */
  find(projectId: string): ProjectWorker | undefined {
    return this.#workers.get(projectId);
  }

  /** Yields the projects that run now. */
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

  /** True for a project that was removed: the end of its run may be reported after that. */
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
