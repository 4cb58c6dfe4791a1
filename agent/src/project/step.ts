/** Defines the steps of a project's plan. */

import type { OwnerMessage } from "@tijolo/protocol";
import type { Instance, InstanceExit } from "../runtime/runtime.ts";

export type Step =
  /** Records the exit of an ended instance, which is then forgotten. */
  | { kind: "record-exit"; ended: Instance & { exit: InstanceExit } }
  /**
   * Removes the project's files: the host does not have the project any more, and central allows the removal.
   */
  | { kind: "remove" }
  /**
   * Fetches the wanted version's archive, extracts it and installs its dependencies, beside the version that
   * runs.
   */
  | { kind: "install" }
  /** Puts the installed version in the place of the one before it, of which nothing runs any more. */
  | { kind: "take-over" }
  /** Forgets a version that was prepared, or has failed, and is not wanted any more. */
  | { kind: "forget-next" }
  /** Starts the version. `isFresh`: a person asked for it, so earlier crashes and errors no longer count. */
  | { kind: "start"; isFresh: boolean }
  | { kind: "stop" }
  /** Lets the run go on beside the next one, until that has come up. */
  | { kind: "set-aside"; instance: Instance }
  /** Ends the run that leaves, once the visits that it answers are over. */
  | { kind: "retire" }
  /** Makes the run that leaves the newest again. */
  | { kind: "return"; instance: Instance }
  /** Reports that nothing runs and nothing should, and confirms the starts that a stop overtook. */
  | { kind: "settle" }
  /** Reports an instance that runs already. */
  | { kind: "adopt"; instance: Instance }
  /** Records that the newest run has come up. */
  | { kind: "come-up" }
  /** Starts the version before the new one again, because the new one did not come up in its time. */
  | { kind: "take-back"; reason: OwnerMessage }
  | { kind: "forgive-crashes" }
  /**
   * Waits until `wakeAtMs` (milliseconds since 1970), or until something changes; null: only for a change.
   */
  | { kind: "idle"; wakeAtMs: number | null };

/**
 * Says what the wanted version needs beside the one that runs. `install`: its archive, files and
 * dependencies; `take-over`: it is installed and takes the place of what runs; `forget`: another version was
 * prepared, or has failed, and the wanted one is in place already; null: nothing.
 */
export type Succession = "install" | "take-over" | "forget" | null;
