/** Defines the context of rules about the visits to sites. */

import type { ProjectsContext } from "../projects/projects-context.ts";
import type { VisitSalt } from "./visit-salt.ts";

export interface VisitsContext extends ProjectsContext {
  visitSalt: VisitSalt;
}
