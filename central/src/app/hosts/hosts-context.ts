/** Defines the context of rules about hosts. */

import type { MeshContext } from "../mesh/mesh-context.ts";
import type { HeldBackProjects } from "./held-back.ts";
import type { MachineInstaller } from "./machine-installer.ts";
import type { HostInventories } from "./host-inventories.ts";
import type { HostStates } from "./host-states.ts";

export interface HostsContext extends MeshContext {
  hostStates: HostStates;
  inventories: HostInventories;
  heldBack: HeldBackProjects;
  installer: MachineInstaller;
}
