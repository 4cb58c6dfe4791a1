/** Defines a deploy that is followed, and its result. */

import type { Client, LogLine, Project } from "@tijolo/protocol";
import type { ComingUpResult } from "../project/await-coming-up.ts";
import type { Replaced } from "../show/show-replaced.ts";

export interface Deploy {
  client: Client;
  /** Project in the response of the upload. */
  uploaded: Project;
  /**
   * Newest version with lines before the upload, for a key that may not read versions: lines of later ones
   * are the upload's. Null: unknown, and only lines from now on are shown.
   */
  loggedVersion: number | null;
  /** True to start what was installed into a stopped project. */
  wantsStart: boolean;
  /** Warnings that were shown before the upload, for `--json`. */
  warnings?: readonly string[];
}

export interface DeployResult extends ComingUpResult {
  /** Number of the deploy's version; null for a key that may not read versions. */
  versionNumber: number | null;
  /** Newest lines of the deploy, oldest first. */
  lastLines: readonly LogLine[];
  /** Files of the program that the version replaced, as far as the service has reported them. */
  replaced: Replaced | null;
}
