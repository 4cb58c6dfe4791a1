/** Defines the context of rules about uploads. */

import type { Slots } from "@tijolo/protocol/kit";
import type { ProjectsContext } from "../projects/projects-context.ts";

export interface UploadsContext extends ProjectsContext {
  /** Bounds how many archives are checked at once: each needs memory by the number of its entries. */
  archiveSlots: Slots;
}
