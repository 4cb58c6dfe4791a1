/** What every rule of central works with, handed down as one object. */

import type { PlanName, Plan } from "@tijolo/protocol";
import type { Slots } from "@tijolo/protocol/node";
import type { Logger } from "pino";
import type { Database } from "../db/schema.ts";
import type { FolderObjects } from "../objects/folder-objects.ts";
import type { Clock, Random } from "./clock.ts";
import type { HostStates } from "./host-states.ts";
import type { ProjectActors } from "./project-actors.ts";
import type { UsageBoard } from "./usage-board.ts";
import type { Wakes } from "./wakes.ts";

export interface AppContext {
  db: Database;
  objects: FolderObjects;
  clock: Clock;
  random: Random;
  logger: Logger;
  plans: ReadonlyMap<PlanName, Plan>;
  /** The public address of a site. */
  siteUrl: (subdomain: string) => string;
  /** Bounds how many archives are checked at once: each takes memory by the number of its entries. */
  archiveSlots: Slots;
  actors: ProjectActors;
  hostStates: HostStates;
  usage: UsageBoard;
  wakes: Wakes;
}
