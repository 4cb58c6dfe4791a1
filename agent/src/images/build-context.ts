/** What every build of a layer is given. */

import type { DebianArchive } from "./host-archive.ts";

export interface BuildContext {
  /** Where the root of the layer is to be; exists and is empty. */
  directory: string;
  /** Roots of the finished layers that this one stands on, topmost first. */
  below: readonly string[];
  /** A place for temporary files, removed after the build. */
  scratch: string;
  /** Rejects where the host has none and no setting names one. */
  debianArchive(): Promise<DebianArchive>;
  /** See `indexAgeOptions`. */
  debianIndexAgeDays: number | null;
  /** Base address of the npm registry, ending in a slash. Rejects as {@link debianArchive} does. */
  npmRegistry(): Promise<string>;
  progress(sentence: string): void;
  signal: AbortSignal;
}
