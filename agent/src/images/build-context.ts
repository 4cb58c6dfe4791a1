/** Defines what every build of a layer receives. */

import type { DebianArchive } from "./host-archive.ts";

export interface BuildContext {
  /** Directory where the root of the layer is built; it exists and is empty. */
  directory: string;
  /** Roots of the finished layers that this one stands on, topmost first. */
  below: readonly string[];
  /** A place for temporary files, removed after the build. */
  scratch: string;
  /** Returns the archive. Rejects where the host has none and no setting names one. */
  debianArchive(): Promise<DebianArchive>;
  /** Greatest age of an index in days, see `indexAgeOptions`. */
  debianIndexAgeDays: number | null;
  /**
   * Returns the base address of the npm registry, ending with a slash. Rejects as {@link debianArchive} does.
   */
  npmRegistry(): Promise<string>;
  progress(sentence: string): void;
  signal: AbortSignal;
}
