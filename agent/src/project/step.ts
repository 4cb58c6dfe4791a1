/** Defines the steps of a project's plan. */

import type { OwnerMessage } from "@tijolo/protocol";
import type { Instance, InstanceExit } from "../runtime/runtime.ts";

export type Step =
  /** Records the exit of an ended instance, which is then forgotten. */
  | { kind: "record-exit"; ended: Instance & { exit: InstanceExit } }
  /** The project is not this host's any more, and central has said that its files may go. */
  | { kind: "remove" }
  /** Archive → files → dependencies of the wanted version, beside the one that runs. */
  | { kind: "install" }
  /** The installed version takes the place of the one before it, of which nothing runs any more. */
  | { kind: "take-over" }
  /** What was prepared, or has failed, is not wanted any more. */
  | { kind: "forget-next" }
  /** `isFresh`: a person asked for it, so earlier crashes and errors are over. */
  | { kind: "start"; isFresh: boolean }
  | { kind: "stop" }
  /** Nothing runs and nothing should; central is told, also of the starts that a stop overtook. */
  | { kind: "settle" }
  /** It runs, and central is not told so yet. */
  | { kind: "adopt"; instance: Instance }
  /** The newest run has come up. */
  | { kind: "come-up" }
  /** A new version did not come up in its time: the one before it is started again. */
  | { kind: "take-back"; reason: OwnerMessage }
  | { kind: "forgive-crashes" }
  /** Nothing to do before `wakeAtMs` (milliseconds since 1970), or until something changes. */
  | { kind: "idle"; wakeAtMs: number | null };

/**
 * What has to be done for the wanted version beside the one that runs. `install`: archive → files →
 * dependencies; `take-over`: it is installed, and takes the place of what runs; `forget`: another version was
 * prepared, or failed, and the wanted one is there already; null: nothing.
 */
export type Succession = "install" | "take-over" | "forget" | null;
