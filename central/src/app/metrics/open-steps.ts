/** Holds the current steps of metrics in memory until they are written: a crash loses only these. */

import { addSums, splitSums, type MetricSums } from "./metric-sums.ts";
import { shortestStepSeconds, stepStart } from "./metric-steps.ts";
import type { UsageInterval } from "./usage-board.ts";

export interface OpenStep {
  /** Start in seconds since 1970. */
  at: number;
  /** Sums by project id. */
  sums: Map<string, MetricSums>;
}

/** Milliseconds after a step's end in which usage from before it may still be reported. */
const settleMs = 6_000;
/** Most steps that wait while nothing can be written: ten minutes. */
const maxSteps = 40;
const stepMs = shortestStepSeconds * 1000;

export class OpenSteps {
  readonly #steps = new Map<number, OpenStep>();
  /** Steps that are taken, and not yet known to be written. */
  readonly #taken = new Set<OpenStep>();

  /** Adds an interval that ends now; each step that it touches gets its part. */
  add({ projectId, sums }: UsageInterval, nowMs: number): void {
    let rest = sums;
    for (let fromMs = nowMs - sums.coveredMs; rest.coveredMs > 0;) {
      const at = stepStart(fromMs / 1000, shortestStepSeconds);
      const partMs = Math.min(rest.coveredMs, at * 1000 + stepMs - fromMs);
      const [part, later] = splitSums(rest, partMs);
      this.#addTo(at, projectId, part);
      rest = later;
      fromMs += partMs;
    }
  }

  /**
   * Returns the steps that are over at `nowMs`, and those that a clock which was set back has left in the
   * future; null: all steps.
   */
  take(nowMs: number | null): OpenStep[] {
    const isOver = ({ at }: OpenStep) =>
      nowMs === null || at * 1000 + stepMs + settleMs <= nowMs || at * 1000 > nowMs;
    const taken = [...this.#steps.values()].filter(isOver);
    for (const step of taken) {
      this.#steps.delete(step.at);
      this.#taken.add(step);
    }
    return taken;
  }

  /** Must be called with each step that {@link take} returned: it is safe, or it must be taken again. */
  settle(step: OpenStep, isWritten: boolean): void {
    this.#taken.delete(step);
    if (isWritten) return;
    for (const [projectId, sums] of step.sums) this.#addTo(step.at, projectId, sums);
  }

  find(projectId: string): { at: number; sums: MetricSums }[] {
    return [...this.#steps.values(), ...this.#taken].flatMap(({ at, sums }) => {
      const found = sums.get(projectId);
      return found === undefined ? [] : [{ at, sums: found }];
    });
  }

  #addTo(at: number, projectId: string, sums: MetricSums): void {
    const step = this.#steps.get(at) ?? { at, sums: new Map<string, MetricSums>() };
    const known = step.sums.get(projectId);
    step.sums.set(projectId, known === undefined ? sums : addSums(known, sums));
    this.#steps.set(at, step);
    if (this.#steps.size > maxSteps) this.#steps.delete(Math.min(...this.#steps.keys()));
  }
}
