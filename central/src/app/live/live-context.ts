/** Defines the context of the live stream: it shows what the rooms of projects, accounts and notices know. */

import type { LimitsContext } from "../limits/limits-context.ts";
import type { ProjectsContext } from "../projects/projects-context.ts";

export interface LiveContext extends ProjectsContext, LimitsContext {}
