/** What every build of a layer is given. */

export interface BuildContext {
  /** Where the root of the layer is to be; exists and is empty. */
  directory: string;
  /** Roots of the finished layers that this one stands on, topmost first. */
  below: readonly string[];
  /** A place for temporary files, removed after the build. */
  scratch: string;
  /**
   * Base address of Debian's archive, ending in a slash: `debian` and `debian-security` are looked for below
   * it.
   */
  debianMirror: string;
  /** See `indexAgeOptions`. */
  debianIndexAgeDays: number | null;
  /** Base address of the npm registry, ending in a slash. */
  npmRegistry(): Promise<string>;
  progress(sentence: string): void;
  signal: AbortSignal;
}
