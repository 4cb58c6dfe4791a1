/** Defines a bench and its results. */

import type { Sample } from "./sample.ts";

export interface Bench {
  name: string;
  run(context: BenchContext): Promise<Figure[]>;
}

export interface BenchContext {
  /** Tells what is being done, where that takes seconds. */
  say(text: string): void;
  /** Stack that frees what the bench makes, the last first. */
  resources: AsyncDisposableStack;
}

/** One thing that was measured, beside what it is compared with. */
export interface Figure {
  title: string;
  unit: string;
  rows: Row[];
  aim: Aim | null;
}

export interface Row {
  name: string;
  sample: Sample;
}

export interface Aim {
  /** Name of what is compared with the limit, such as "over the bare fork". */
  of: string;
  value: number;
  unit: string;
  limit: number;
  isReachedBy: "at most" | "at least";
}

export function isReached({ value, limit, isReachedBy }: Aim): boolean {
  return isReachedBy === "at most" ? value <= limit : value >= limit;
}
