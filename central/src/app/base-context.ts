/** Defines the parts of central that every room of the rules may use. */

import type { Plan, PlanName, ServiceLimits } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { Objects } from "../objects/objects.ts";
import type { Database } from "../store/store.ts";
import type { Wakes } from "../store/wakes.ts";
import type { Clock, Random } from "./clock.ts";

export interface BaseContext {
  db: Database;
  objects: Objects;
  clock: Clock;
  random: Random;
  logger: Logger;
  plans: ReadonlyMap<PlanName, Plan>;
  limits: ServiceLimits;
  /** System packages that projects may ask for beside the specification's. */
  morePackages: readonly string[];
  /** For listeners alone: a committed change wakes its topic by itself. */
  wakes: Pick<Wakes, "on">;
}
