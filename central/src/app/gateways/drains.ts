/**
 * Asks the gateways to send no visits to a run that is about to be stopped, and waits until those under way
 * are over.
 */

import { defaultDrainSeconds, type Drain } from "@tijolo/protocol";

/** Milliseconds that a gateway has beyond the drain's own time: what is under way then is cut by the stop. */
const marginMs = 1_000;

/** A connected gateway, which receives the runs that it has to drain. */
export interface DrainListener {
  drain(drain: Drain): void;
}

interface Waiting {
  gateways: Set<DrainListener>;
  finish: () => void;
}

export class Drains {
  readonly #listeners = new Set<DrainListener>();
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  /** Registers a gateway. Its end, the returned function, counts as its answer to everything. */
  register(listener: DrainListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      for (const drainId of this.#waiting.keys()) this.answer(listener, drainId);
    };
  }

  /** Resolves once every connected gateway has answered, or after the drain's time. */
  async run(run: Omit<Drain, "drainId">): Promise<void> {
    if (this.#listeners.size === 0) return;
    this.#lastId += 1;
    const drain = { ...run, drainId: this.#lastId };
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiting.delete(drain.drainId);
        resolve();
      };
      const timer = setTimeout(finish, (run.seconds ?? defaultDrainSeconds.hold) * 1000 + marginMs);
      this.#waiting.set(drain.drainId, { gateways: new Set(this.#listeners), finish });
      for (const listener of this.#listeners) listener.drain(drain);
    });
  }

  /** Must be called when a gateway has drained the run. */
  answer(listener: DrainListener, drainId: number): void {
    const waiting = this.#waiting.get(drainId);
    if (waiting?.gateways.delete(listener) === true && waiting.gateways.size === 0) waiting.finish();
  }
}
