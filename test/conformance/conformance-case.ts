/** Defines a conformance case: it names rows of the specification, and shows them over HTTP. */

import type { RowId } from "./spec-rows.ts";
import type { SpecWorld } from "./spec-world.ts";

export interface ConformanceCase {
  rows: readonly RowId[];
  /** Sentence that says what is seen. */
  title: string;
  show(world: SpecWorld): Promise<void>;
}

/** The cases of one chapter of the specification. */
export interface Chapter {
  title: string;
  /** Number of its cases that may run at once. Default: 4. */
  concurrency?: number;
  cases: readonly ConformanceCase[];
}
