/** Tells whether the service is well, as anybody may know: by its hosts that are connected. */

import type { OperationAnswer } from "@tijolo/protocol";
import { listHostIds } from "../../store/tables/hosts/host-id.ts";
import type { HostsContext } from "./hosts-context.ts";

type Health = OperationAnswer<"getHealth">["health"];

export async function getHealth(app: Pick<HostsContext, "db" | "clock" | "hostStates">): Promise<Health> {
  const hostIds = await listHostIds(app.db);
  const connected = hostIds.filter((hostId) => app.hostStates.isConnected(hostId)).length;
  return { state: stateOf(connected, hostIds.length), at: new Date(app.clock.now()).toISOString() };
}

function stateOf(connected: number, all: number): Health["state"] {
  if (connected === 0) return "down";
  return connected === all ? "operational" : "degraded";
}
