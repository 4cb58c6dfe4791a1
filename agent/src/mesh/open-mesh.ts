/** Puts the mesh together of WireGuard, the carrier and what this host remembers of it. */

import type { LinkTls } from "@tijolo/protocol/kit/link";
import type { Logger } from "pino";
import type { AgentConfig } from "../config.ts";
import type { ServiceGroup } from "../host/cgroups/service-group.ts";
import { sayFetching } from "../host/checks/debian-tree.ts";
import type { Network } from "../network/network.ts";
import { Carrier } from "./carrier.ts";
import type { MeshFile } from "./mesh-file.ts";
import { Mesh } from "./mesh.ts";
import { WireguardDevice } from "./wireguard-device.ts";
import { findWireguard, toolsDirectoryOf } from "./wireguard-programs.ts";

/** The parts of the link that the mesh needs. */
export interface MeshLink {
  centralUrl: string;
  tls: LinkTls | undefined;
  /** Returns the bearer of the control connection; undefined while there is none. */
  bearer: () => string | undefined;
  /** Returns a number from 0 to below 1. */
  random: () => number;
  clock: { now(): number };
}

export interface MeshParts extends MeshLink {
  file: MeshFile;
  range: string;
  network: Pick<Network, "setDistant" | "meshInterface">;
}

/** Opens the mesh, which is closed with `resources`; its interface stays up. */
export function openMesh(
  { centralUrl, tls, bearer, random, clock, file, range, network }: MeshParts,
  {
    config: { dataDirectory, agentName: instanceName },
    runtime,
    logger,
  }: { config: AgentConfig; runtime: { serviceGroup(name: string): ServiceGroup }; logger: Logger },
  resources: AsyncDisposableStack,
): Mesh {
  const device = new WireguardDevice({
    interface: network.meshInterface,
    instanceName,
    programs: () => findWireguard(toolsDirectoryOf(dataDirectory), () => sayFetching(logger, "wireguard")),
    group: runtime.serviceGroup("mesh"),
    logger,
  });
  const wireguardPort = () => file.port;
  const carrier = resources.use(new Carrier({ centralUrl, tls, bearer, wireguardPort, random, logger }));
  return resources.use(
    Mesh.open({ file, range, network, device, carrier, centralUrl, clock, random, logger }),
  );
}
