/**
 * Builds the parts of the agent that touch the machine: containers, images and network; real, or simulated
 * for tests of the other parts.
 */

import { join } from "node:path";
import type { OwnerMessage, ProjectSettings } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { AgentConfig } from "./config.ts";
import { assertFilterHolds } from "./host/checks/check-filter.ts";
import { sayFetching } from "./host/checks/debian-tree.ts";
import { prepareKernel } from "./host/checks/kernel-settings.ts";
import { Tools } from "./host/checks/tools.ts";
import { askHealth, type SiteHealth } from "./diagnosis/ask-health.ts";
import { canConnect } from "./diagnosis/can-connect.ts";
import { readListeners as readListenersOf, type Listener } from "./diagnosis/listeners.ts";
import { openProjectDisks } from "./disk/open-project-disks.ts";
import { PlainDisks } from "./disk/plain-disks.ts";
import type { ProjectDisks } from "./disk/project-disks.ts";
import { containerTrust, type ContainerTrust } from "./images/container-trust.ts";
import { createImageStore, hostArchitecture } from "./images/image-store.ts";
import type { MachineImages } from "./images/machine-images.ts";
import { openRegistries, pulledImage } from "./images/oci/open-registries.ts";
import type { findRecipe } from "./images/recipes/find-recipe.ts";
import { MeshFile } from "./mesh/mesh-file.ts";
import { heldBy, type Mesh } from "./mesh/mesh.ts";
import { openMesh as openMeshWith, type MeshLink } from "./mesh/open-mesh.ts";
import { createNetwork, type Network, type ProjectNetworks } from "./network/network.ts";
import { findNginx } from "./statics/find-nginx.ts";
import { StaticSites } from "./statics/static-sites.ts";
import { NspawnRuntime } from "./runtime/nspawn/nspawn-runtime.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { SimulatedRuntime, type SimulatedMachine } from "./runtime/simulated.ts";

export interface MachineParts {
  disks: ProjectDisks;
  runtime: Runtime;
  images: MachineImages;
  network: ProjectNetworks & Pick<Network, "usage" | "reconcile">;
  /** Serves static sites; undefined: only the ingress does. */
  statics?: StaticSites;
  /** Returns whether a connection to a port of the project can be made. */
  isListening: (projectId: string, port: number) => Promise<boolean>;
  /** Asks the program at a port of the project for its health path. Resolves as `ask-health.ts` says. */
  askHealth: (projectId: string, port: number, health: SiteHealth) => Promise<number | null>;
  /** Returns what a project's programs listen on; undefined where that cannot be told. */
  readListeners: (projectId: string) => Promise<Listener[] | undefined>;
  trust: ContainerTrust;
  /** Makes this host a member of the mesh. Absent: projects have no addresses of their own. */
  openMesh?: (link: MeshLink, resources: AsyncDisposableStack) => Mesh;
  /** Returns the port at which a site on `port` is reached. Default: the same port. */
  portOf?: (projectId: string, port: number) => number;
  /** Returns notices about this machine, which the owner gets at each install. */
  installNotices?: (settings: ProjectSettings) => OwnerMessage[];
  /** True when finished installs may be used again. Default: true. */
  keepsInstalls?: boolean;
}

export interface MachineOptions {
  config: AgentConfig;
  /** Finds where images come from, with the operator's overrides. */
  findRecipe: typeof findRecipe;
  logger: Logger;
  clock: { now(): Date };
  /** See `disk/open-project-disks.ts`. */
  quotaIdOf: (projectId: string) => number;
  /** Range of addresses that central gave this host when it joined just now. */
  joinedRange?: string | undefined;
  /** Called when a static site is served from now on. */
  onServed: (projectId: string) => void;
}

/** Range of a host that no central has given one yet. */
const defaultRange = "10.200.0.0/20";

/** Opens the real parts; what they hold is closed with `resources`, and every container stays up. */
export async function openMachine(
  options: MachineOptions,
  resources: AsyncDisposableStack,
): Promise<MachineParts> {
  const { config, logger, clock, quotaIdOf } = options;
  const { dataDirectory, agentName: instanceName } = config;
  const later: { statics?: StaticSites } = {};
  const disks = resources.use(
    await openProjectDisks({
      dataDirectory,
      quotaIdOf,
      release: async (projectId) => later.statics?.release(projectId),
      restore: async (projectId) => later.statics?.restore(projectId),
      logger,
    }),
  );
  await disks.recover(); // before anything looks for files of projects
  const tools = await Tools.create({
    dataDirectory,
    initScript: join(import.meta.dirname, "runtime/nspawn/init.sh"),
    onFetch: () => sayFetching(logger, "system_tools"),
    onLeftover: (text) => logger.warn(text),
  });
  await Promise.all([assertFilterHolds(tools), prepareKernel(logger)]);
  const runtime = await NspawnRuntime.create({ dataDirectory, instanceName, tools, logger, clock });
  resources.defer(() => runtime.close());
  const images = await openImages(options, resources);
  const meshFile = await MeshFile.open({
    dataDirectory,
    preferredPort: config.meshPort,
    joinedRange: options.joinedRange,
  });
  const cidr = config.networkCidr ?? meshFile.range ?? defaultRange;
  const held = heldBy(cidr, meshFile.update);
  const network = await createNetwork({
    instanceName,
    cidr,
    stateDirectory: join(dataDirectory, "network"),
    distantProjects: held.projects,
    gateways: held.gateways,
    resolverGroup: runtime.serviceGroup("resolver"),
    servesStatics: () => later.statics?.isInUse === true,
    logger,
  });
  resources.defer(() => network.close());
  const openMesh = (link: MeshLink, meshResources: AsyncDisposableStack) =>
    openMeshWith(
      { ...link, file: meshFile, range: cidr, network },
      { config, runtime, logger },
      meshResources,
    );
  const statics = resources.use(
    await StaticSites.open({
      directory: join(dataDirectory, "statics"),
      namespace: network.statics,
      group: runtime.serviceGroup("statics"),
      findNginx: () =>
        findNginx({
          toolsDirectory: join(dataDirectory, "tools"),
          onFetch: () => sayFetching(logger, "nginx"),
        }),
      onServed: options.onServed,
      logger,
    }),
  );
  later.statics = statics;
  const readListeners: MachineParts["readListeners"] = async (projectId) => {
    const place = network.find(projectId);
    return place === undefined ? undefined : readListenersOf(place.namespacePath);
  };
  const isListening: MachineParts["isListening"] = async (projectId, port) => {
    const place = network.find(projectId);
    return place !== undefined && canConnect(place.address, port);
  };
  return {
    disks,
    runtime,
    images,
    network,
    openMesh,
    statics,
    isListening,
    async askHealth(projectId, port, health) {
      const place = network.find(projectId);
      return place === undefined ? null : askHealth(place.address, port, health);
    },
    readListeners,
    trust: containerTrust(),
  };
}

/** Opens the images that are made here and those of registries, which `resources` closes. */
async function openImages(
  { config, logger, findRecipe }: MachineOptions,
  resources: AsyncDisposableStack,
): Promise<MachineImages> {
  const isShared = config.imagesDirectory !== null;
  const imagesDirectory = config.imagesDirectory ?? join(config.dataDirectory, "images");
  const registries = await openRegistries(imagesDirectory, config, logger);
  resources.defer(() => registries.close());
  const images = await createImageStore({
    imagesDirectory,
    findRecipe,
    pullImage: (reference, waiter) => pulledImage(registries, reference, waiter),
    findKeptLayers: (options) => registries.rootsInUse(options),
    ...(config.debianMirror === null ? {} : { debianMirror: config.debianMirror }),
    ...(config.npmRegistry === null ? {} : { npmRegistry: config.npmRegistry }),
    ...(config.debianIndexAgeDays === null ? {} : { debianIndexAgeDays: config.debianIndexAgeDays }),
    logger,
  });
  resources.defer(() => images.close());
  return {
    ensure: images.ensure,
    list: images.list,
    isShared,
    findRecipe: (language, version) => findRecipe(language, version, hostArchitecture()),
    prune: async (inUse) => (isShared ? [] : images.prune(inUse)),
    async pruneAll(inUse, options) {
      if (isShared) return [];
      await registries.forgetUnused(inUse, options);
      return images.prune(inUse, options);
    },
  };
}

/**
 * Makes the containers, images and network of a {@link SimulatedMachine}, which outlives the agent as a real
 * one does.
 */
export function simulateMachine(
  machine: SimulatedMachine,
  { config, clock, findRecipe }: MachineOptions,
): MachineParts {
  const resolvConf = "nameserver 192.0.2.53\n";
  const place = { address: "127.0.0.1", namespacePath: "/run/netns/simulated", resolvConf };
  return {
    disks: new PlainDisks(config.dataDirectory, (projectId) => machine.damagedDisks.has(projectId)),
    runtime: new SimulatedRuntime({ dataDirectory: config.dataDirectory, machine, clock }),
    images: machine.images.open({ findRecipe, now: () => clock.now() }),
    network: {
      claim: async () => place,
      release: async () => {},
      setAside: async () => {},
      takeBack: async () => {},
      releaseLeaving: async () => {},
      findLeaving: () => undefined,
      setRunning: () => {},
      setSite: () => {},
      usage: async () => new Map(),
      find: () => place,
      reconcile: async () => {},
    },
    isListening: async (projectId, port) => machine.listeners(projectId).some((each) => each.port === port),
    async askHealth(projectId, _port, health) {
      machine.healthAsked.set(projectId, health);
      return machine.healthStatus.get(projectId) ?? 200;
    },
    readListeners: async (projectId) => machine.listeners(projectId),
    trust: { bindReadOnly: [], environment: {} },
  };
}
