/**
 * Explains failures in a thread beside the agent's own, with a deadline: no text of a tenant, however it is
 * made, blocks the agent.
 */

import { Worker } from "node:worker_threads";
import type { OwnerMessage } from "@tijolo/protocol";
import { KeyedQueue } from "@tijolo/protocol/kit";
import type { FailedProgram } from "./explanation.ts";

const defaultDeadlineMs = 3_000;
/** Milliseconds for the thread's start, which takes no text: it reads its programs, for seconds on a busy machine. */
const startDeadlineMs = 60_000;
/** Milliseconds after which an idle thread ends; it is started again when it is needed. */
const idleMs = 60_000;
/** Most failures that wait to be explained; further ones are not explained. */
const maxWaiting = 32;

interface Thread {
  worker: Worker;
  /** False when it could not be started. */
  isReady: Promise<boolean>;
}

export class Explainer implements AsyncDisposable {
  readonly #deadlineMs: number;
  readonly #turns = new KeyedQueue();
  #waiting = 0;
  #thread: Thread | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({ deadlineMs = defaultDeadlineMs }: { deadlineMs?: number } = {}) {
    this.#deadlineMs = deadlineMs;
  }

  /** Explains as {@link explainFailure} does. Undefined also where the explanation took too long. */
  async explain(program: FailedProgram, lines: readonly string[]): Promise<OwnerMessage | undefined> {
    if (this.#waiting >= maxWaiting) return undefined;
    this.#waiting += 1;
    try {
      return await this.#turns.run("thread", () => this.#ask({ program, lines }));
    } finally {
      this.#waiting -= 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #ask(question: {
    program: FailedProgram;
    lines: readonly string[];
  }): Promise<OwnerMessage | undefined> {
    clearTimeout(this.#idleTimer);
    const { worker, isReady } = (this.#thread ??= startThread());
    if (!(await isReady)) {
      await this.#end();
      return undefined;
    }
    const answered = Promise.withResolvers<OwnerMessage | null>();
    const giveUp = () => answered.resolve(null);
    worker.once("message", answered.resolve);
    worker.once("error", giveUp);
    worker.once("exit", giveUp);
    const timer = setTimeout(giveUp, this.#deadlineMs);
    let isAnswered = false;
    worker.once("message", () => (isAnswered = true));
    try {
      worker.postMessage(question);
      return (await answered.promise) ?? undefined;
    } finally {
      clearTimeout(timer);
      worker.removeAllListeners("error").removeAllListeners("exit");
      worker.on("error", () => {}); // of one that is being ended
      if (isAnswered) this.#idleTimer = setTimeout(() => void this.#end(), idleMs).unref();
      else await this.#end();
    }
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.worker.terminate();
  }
}

function startThread(): Thread {
  const worker = new Worker(new URL("./explain-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  worker.unref();
  const { promise: isReady, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), startDeadlineMs).unref();
  for (const [event, isUp] of [
    ["message", true],
    ["error", false],
    ["exit", false],
  ] as const)
    worker.once(event, () => resolve(isUp));
  return { worker, isReady: isReady.finally(() => clearTimeout(timer)) };
}
