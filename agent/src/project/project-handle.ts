/** The view of one project that the steps of its plan work on; its worker implements it. */

import type { Assignment, ReportEntry } from "@tijolo/protocol";
import type { Instance } from "../runtime/runtime.ts";
import type { ProjectRecord } from "./record.ts";
import type { WorkerContext } from "./worker-context.ts";

export interface ProjectHandle {
  readonly projectId: string;
  readonly context: WorkerContext;
  /** The desired state; undefined once central has removed the project. */
  readonly assignment: Assignment | undefined;
  readonly record: ProjectRecord;
  /** The newest run that the runtime last reported; planning reads it without asking the runtime. */
  instance: Instance | undefined;
  /** The run that leaves once the newest has come up (`leaving-run.ts`). */
  leaving: Instance | undefined;
  /** True once the agent ends: what is under way is left to the next one. */
  readonly isClosing: boolean;
  /**
   * Takes what the runtime reports of a run. A report that arrives after a newer one (a later run, the run's
   * end, or the record of that end) changes nothing.
   */
  see(instance: Instance): void;
  /** Makes the newest run the one that leaves, and saves it. */
  setAside(instance: Instance): void;
  /** Saves the record and reports it to central (with `events`) in one transaction. */
  save(record: ProjectRecord, events?: ReportEntry["event"][]): void;
  /**
   * Starts to watch the port of the newest run, when it is a site's; does nothing while it is watched
   * already.
   */
  watchPort(): void;
}
