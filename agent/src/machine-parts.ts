/** What of the agent touches the machine: containers, images and network; real, or simulated for tests of all the rest. */

import { join } from "node:path";
import type { Logger } from "pino";
import type { AgentConfig } from "./config.ts";
import { Tools } from "./host/tools.ts";
import { containerTrust, type ContainerTrust } from "./images/container-trust.ts";
import { createImageStore, type ImageStore } from "./images/image-store.ts";
import { createNetwork, type Network } from "./network/network.ts";
import { NspawnRuntime } from "./runtime/nspawn/nspawn-runtime.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { SimulatedRuntime, type SimulatedMachine } from "./runtime/simulated.ts";

export interface MachineParts {
  runtime: Runtime;
  images: Pick<ImageStore, "ensure" | "prune">;
  network: Pick<Network, "claim" | "release" | "usage" | "find" | "reconcile">;
  trust: ContainerTrust;
}

export interface MachineOptions {
  config: AgentConfig;
  logger: Logger;
  clock: { now(): Date };
}

/** Opens the real parts; what they hold is closed with `resources`, and every container stays up. */
export async function openMachine({ config, logger, clock }: MachineOptions, resources: AsyncDisposableStack): Promise<MachineParts> {
  const { dataDirectory, agentName: instanceName } = config;
  const onProgress = (text: string) => logger.info(text);
  const tools = await Tools.create({ dataDirectory, initScript: join(import.meta.dirname, "runtime/nspawn/init.sh"), onProgress });
  const runtime = await NspawnRuntime.create({ dataDirectory, instanceName, tools, logger, clock });
  resources.defer(() => runtime.close());
  const { imagesDirectory: shared } = config;
  const images = await createImageStore({ imagesDirectory: shared ?? join(dataDirectory, "images"), logger });
  resources.defer(() => images.close());
  const prune: MachineParts["images"]["prune"] = shared === null ? (inUse) => images.prune(inUse) : async () => [];
  const network = await createNetwork({ instanceName, cidr: config.networkCidr, stateDirectory: join(dataDirectory, "network"), logger });
  resources.defer(() => network.close());
  return { runtime, images: { ensure: images.ensure, prune }, network, trust: containerTrust() };
}

/** Containers, images and network of a {@link SimulatedMachine}, which outlives the agent as a real one does. */
export function simulateMachine(machine: SimulatedMachine, { config, clock }: MachineOptions): MachineParts {
  const resolvConf = "nameserver 192.0.2.53\n";
  const place = { address: "127.0.0.1", namespacePath: "/run/netns/simulated", resolvConf };
  return {
    runtime: new SimulatedRuntime({ dataDirectory: config.dataDirectory, machine, clock }),
    images: { ensure: async () => ({ layers: [] }), prune: async () => [] },
    network: {
      claim: async () => place,
      release: async () => {},
      usage: async () => new Map(),
      find: () => place,
      reconcile: async () => {},
    },
    trust: { bindReadOnly: [], environment: {} },
  };
}
