/**
 * What a conformance case is: it names the rows of the specification that it shows, and shows them over HTTP.
 */

import type { RowId } from "./spec-rows.ts";
import type { SpecWorld } from "./spec-world.ts";

export interface ConformanceCase {
  rows: readonly RowId[];
  /** What is seen, as a sentence. */
  title: string;
  show(world: SpecWorld): Promise<void>;
}

/** The cases of one chapter of the specification. */
export interface Chapter {
  title: string;
  /** How many of its cases may run at once. Default 4. */
  concurrency?: number;
  cases: readonly ConformanceCase[];
}
