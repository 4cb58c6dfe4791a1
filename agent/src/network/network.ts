/**
 * Gives each project a network namespace with an address of its own, and keeps strangers, the host and
 * private networks out of reach.
 */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { KeyedQueue } from "@tijolo/protocol/kit";
import type { ServiceGroup } from "../host/cgroups/service-group.ts";
import { isInRange, parseAddressRange, type AddressRange } from "./address-range.ts";
import type { Claim, Traffic } from "./claim-file.ts";
import { ClaimRegister, sum, totalTraffic } from "./claim-register.ts";
import type { DistantProject } from "./mesh-entries.ts";
import { instanceNames, resolverSerial, staticsSerial } from "./instance-names.ts";
import { deleteNamespaces, hasNamespace, namespacePath, type Namespace } from "./namespace.ts";
import { NamespacePool } from "./namespace-pool.ts";
import { NamespaceStock } from "./namespace-stock.ts";
import { enableForwarding, refuseForeignSubnet, usableResolvers } from "./prepare-host.ts";
import { ProjectNames } from "./project-names.ts";
import { ProjectRules } from "./project-rules.ts";
import { resolvConfText } from "./resolvers.ts";

export interface NetworkOptions {
  /** Name that distinguishes the agents of one machine; in the name of everything made in the kernel. */
  instanceName: string;
  /** Subnet of this agent, between /16 and /30; no other agent or network of the machine may have it. */
  cidr: string;
  /** Directory that stores claims over restarts. */
  stateDirectory: string;
  logger: Pick<Logger, "info" | "warn">;
  /** Namespaces kept ready. Default 4. */
  poolSize?: number;
  /** Open connections that one project may have to the outside. Default 2,000. */
  connectionLimit?: number;
  /**
   * Addresses of the resolvers that names of the outside are asked of. Default: those that the host names for
   * itself.
   */
  resolvers?: readonly string[];
  /** Projects of other hosts, as an earlier agent knew them: connections with them go on. Default: none. */
  distantProjects?: readonly DistantProject[];
  /** Addresses in the mesh of hosts that have a gateway, as an earlier agent knew them. Default: none. */
  gateways?: readonly string[];
  /**
   * Group for the resolver of projects, so that it outlives the agent in whatever unit the agent runs.
   * Default: the agent's own group.
   */
  resolverGroup?: ServiceGroup;
  /** True while static sites are served, for which the rules stay without any project. Default: they are not. */
  servesStatics?: () => boolean;
}

/** The part of the network that the workers of projects use. */
export type ProjectNetworks = Pick<
  Network,
  | "claim"
  | "setAside"
  | "takeBack"
  | "releaseLeaving"
  | "release"
  | "setRunning"
  | "setSite"
  | "find"
  | "findLeaving"
>;

export interface ProjectNetwork {
  address: string;
  /** Path for nsenter and `NetworkNamespacePath=`. */
  namespacePath: string;
  /**
   * Text of the container's /etc/resolv.conf: it names the gateway, where the resolver of projects answers.
   */
  resolvConf: string;
}

/**
 * Sets up the instance's rules, takes over the claims of an earlier agent, and makes a pool of namespaces in
 * the background. Throws when another agent or network of the machine has addresses of the subnet.
 */
export async function createNetwork(options: NetworkOptions): Promise<Network> {
  const { cidr, instanceName, logger } = options;
  await refuseForeignSubnet(
    parseAddressRange(cidr).cidr,
    instanceNames(instanceName).interfacePrefix,
    logger,
  );
  await enableForwarding(logger);
  const claims = await ClaimRegister.open(options.stateDirectory, logger);
  const network = new Network(options, claims, [...(options.resolvers ?? (await usableResolvers(logger)))]);
  await network.adopt();
  return network;
}

export class Network {
  /** Namespace of the server of static sites, which whoever starts it makes. */
  readonly statics: Namespace;
  readonly #options: NetworkOptions;
  readonly #range: AddressRange;
  readonly #resolver: Namespace;
  readonly #rules: ProjectRules;
  readonly #pool: NamespacePool;
  readonly #stock: NamespaceStock;
  readonly #projectNames: ProjectNames;
  readonly #claims: ClaimRegister;
  /** Queue that runs the operations of one project one after the other. */
  readonly #turns = new KeyedQueue();
  #resolvers: string[];

  /** Is called by {@link createNetwork} only. */
  constructor(options: NetworkOptions, claims: ClaimRegister, resolvers: string[]) {
    const { instanceName, logger } = options;
    const names = instanceNames(instanceName);
    const range = parseAddressRange(options.cidr);
    this.#resolver = {
      interface: `${names.interfacePrefix}${resolverSerial}`,
      name: `${names.namespacePrefix}${resolverSerial}`,
      address: range.own,
    };
    this.statics = {
      interface: `${names.interfacePrefix}${staticsSerial}`,
      name: `${names.namespacePrefix}${staticsSerial}`,
      address: range.statics,
    };
    this.#options = options;
    this.#range = range;
    this.#resolvers = resolvers;
    this.#claims = claims;
    const settings = {
      names,
      cidr: range.cidr,
      resolver: this.#resolver,
      statics: this.statics,
      resolvers,
      gateways: options.gateways ?? [],
      connectionLimit: options.connectionLimit ?? 2_000,
    };
    this.#rules = new ProjectRules({ settings, claims, distant: options.distantProjects ?? [], logger });
    this.#stock = new NamespaceStock({
      names,
      range,
      owned: () => [this.#resolver, this.statics, ...claims.all().map((claim) => claim.namespace)],
      lastAddress: claims.all().at(-1)?.namespace.address,
      admit: (namespace) => this.#rules.admit(namespace),
    });
    this.#pool = new NamespacePool({
      size: options.poolSize ?? 4,
      make: (count) => this.#stock.make(count),
      logger,
    });
    const { resolverGroup } = options;
    this.#projectNames = new ProjectNames({
      directory: join(options.stateDirectory, "resolver"),
      instanceName,
      namespace: this.#resolver,
      claims: () => claims.all(),
      distant: () => this.#rules.distant,
      upstreams: () => this.#resolvers,
      ...(resolverGroup === undefined ? {} : { group: resolverGroup }),
      logger,
    });
  }

  /**
   * Returns the project's network: the same one on every call until it is released, also after a restart of
   * the agent, and with the same address after one of the host. Projects with the same account id reach each
   * other.
   */
  claim(projectId: string, { accountId }: { accountId: string }): Promise<ProjectNetwork> {
    return this.#turns.run(projectId, async () => {
      const previous = this.#claims.find(projectId);
      const isWhole =
        previous !== undefined &&
        isInRange(this.#range, previous.namespace.address) &&
        (await hasNamespace(previous.namespace));
      if (!isWhole || previous.accountId !== accountId)
        await this.#enter(projectId, accountId, previous, isWhole);
      const claimed = this.find(projectId);
      if (claimed === undefined) throw new Error(`Project ${projectId} has no network`);
      return claimed;
    });
  }

  /**
   * Makes the project's network that of a run that leaves: the next claim is of another one, and both stay
   * until {@link releaseLeaving} or {@link takeBack}. Does nothing where a run leaves already.
   */
  setAside(projectId: string): Promise<void> {
    return this.#turns.run(projectId, async () => {
      const claim = this.#claims.find(projectId);
      if (claim !== undefined && this.#claims.findLeaving(projectId) === undefined)
        await this.#claims.move(claim);
    });
  }

  /** Makes the network of the run that leaves the project's own again, and frees the other one. */
  takeBack(projectId: string): Promise<void> {
    return this.#turns.run(projectId, async () => {
      const leaving = this.#claims.findLeaving(projectId);
      if (leaving === undefined) return;
      const claim = this.#claims.find(projectId);
      if (claim !== undefined) await this.#free(claim, leaving);
      await this.#claims.move(leaving);
      await this.#projectNames.save();
    });
  }

  /** Frees the network of the run that leaves; the only one that the project has stays its own. */
  releaseLeaving(projectId: string): Promise<void> {
    return this.#turns.run(projectId, async () => {
      const [leaving, claim] = [this.#claims.findLeaving(projectId), this.#claims.find(projectId)];
      if (leaving === undefined) return;
      await (claim === undefined ? this.#claims.move(leaving) : this.#free(leaving, claim));
    });
  }

  /** Resolves once the pool is full. */
  fillPool(): Promise<void> {
    return this.#pool.fill();
  }

  /**
   * Sets whether the project's `internalHost` resolves for the projects of its account (spec: only while it
   * is running), and whether to the address of the run that leaves. A new agent starts with what its
   * predecessor was given.
   */
  setRunning(projectId: string, isRunning: boolean, isOfLeaving = false): void {
    this.#projectNames.setRunning(projectId, isRunning, isOfLeaving);
  }

  /**
   * Sets the projects of other hosts that run: those of an account that has a project here reach it, are
   * reached by it, and their names resolve for it. What of them comes in by another way than the mesh is
   * dropped. `gateways` are the addresses of the hosts that have a gateway, which reach the sites of this one.
   */
  async setDistant(projects: readonly DistantProject[], gateways: readonly string[]): Promise<void> {
    await Promise.all([this.#rules.setDistant(projects, gateways), this.#projectNames.save()]);
  }

  /** Sets the port at which gateways on other hosts reach the project; null: they do not. */
  setSite(projectId: string, port: number | null): void {
    this.#rules.setSite(projectId, port);
  }

  /** Interface over which projects of other hosts are reached, once it is made. */
  get meshInterface(): string {
    return instanceNames(this.#options.instanceName).meshInterface;
  }

  /** Pid of the process that answers the names. */
  get resolverPid(): number | undefined {
    return this.#projectNames.pid;
  }

  /** Returns the network that the project has claimed. */
  find(projectId: string): ProjectNetwork | undefined {
    return networkOf(this.#claims.find(projectId));
  }

  /** Returns the network of the project's run that leaves. */
  findLeaving(projectId: string): ProjectNetwork | undefined {
    return networkOf(this.#claims.findLeaving(projectId));
  }

  /** Cuts the project off and frees its addresses. Does nothing without a claim. */
  release(projectId: string): Promise<void> {
    return this.#turns.run(projectId, async () => {
      for (const claim of [this.#claims.findLeaving(projectId), this.#claims.find(projectId)])
        if (claim !== undefined) await this.#free(claim);
    });
  }

  /** Returns the bytes of every project that has a network, counted since it first claimed one. */
  async usage(): Promise<Map<string, Traffic>> {
    return this.#claims.countAll();
  }

  /** Frees what none of these projects owns, and restores the rules if another program has flushed them. */
  async reconcile(projectIds: Iterable<string>): Promise<void> {
    const kept = new Set(projectIds);
    for (const { projectId } of this.#claims.all()) if (!kept.has(projectId)) await this.release(projectId);
    if (this.#options.resolvers === undefined)
      this.#resolvers = await usableResolvers(this.#options.logger, this.#resolvers);
    await this.#rules.mend(this.#resolvers);
    await this.#deleteStrays();
    await this.#projectNames.mend();
    await this.#saveTraffic();
  }

  /** Releases the pool. Claimed namespaces stay for the next agent, with the rules and the resolver. */
  async close(): Promise<void> {
    const unused = await this.#pool.close();
    await this.#turns.idle();
    await Promise.all(unused.map((namespace) => this.#rules.leave(namespace)));
    await deleteNamespaces(unused);
    for (const namespace of unused) this.#stock.handOver(namespace);
    await this.#saveTraffic();
    await this.#projectNames.close();
    await this.#rules.close();
    if (this.#claims.all().length > 0) return;
    await this.#projectNames.stop();
    if (this.#options.servesStatics?.() !== true) await this.#rules.remove();
  }

  /** Removes everything of this instance from the machine, claimed or not, and what it remembers. */
  async destroy(): Promise<void> {
    await this.#pool.close();
    await this.#turns.idle();
    this.#claims.clear();
    this.#stock.clear();
    await this.#projectNames.stop();
    await deleteNamespaces(await this.#stock.strays());
    await this.#rules.remove();
    await rm(this.#options.stateDirectory, { recursive: true, force: true });
  }

  /** Brings rules and namespaces into agreement with the claims of an earlier agent. */
  async adopt(): Promise<void> {
    const claims = this.#claims.all();
    const isThere = await Promise.all(claims.map((claim) => hasNamespace(claim.namespace)));
    const present = claims.filter((_, index) => isThere[index]);
    await this.#projectNames.prepare(present);
    const others = [this.#resolver, this.statics];
    await this.#rules.adopt(this.#resolvers, { claims: present, others });
    await this.#deleteStrays();
    await this.#projectNames.keep();
    void this.#pool.fill();
  }

  async #enter(
    projectId: string,
    accountId: string,
    previous: Claim | undefined,
    isWhole: boolean,
  ): Promise<void> {
    const namespace = await this.#namespaceFor(previous, isWhole);
    const accountMark = this.#claims.markOf(accountId);
    const none = { receivedBytes: 0, sentBytes: 0 };
    const claim: Claim = {
      projectId,
      isLeaving: false,
      accountId,
      accountMark,
      namespace,
      earlierTraffic:
        isWhole || previous === undefined ? (previous?.earlierTraffic ?? none) : totalTraffic(previous),
      latestTraffic: isWhole ? (previous?.latestTraffic ?? none) : none,
    };
    try {
      await Promise.all([this.#rules.enter(claim), this.#claims.put(claim)]);
      this.#stock.handOver(namespace);
      await Promise.all([this.#rules.claimsChanged(), this.#projectNames.save()]);
    } catch (error) {
      // Nobody's now: the next reconciliation deletes it.
      this.#stock.handOver(namespace);
      await this.#claims.remove(claim).catch(() => {});
      await this.#rules.leave(namespace).catch(() => {});
      throw error;
    }
  }

  async #namespaceFor(previous: Claim | undefined, isWhole: boolean): Promise<Namespace> {
    if (previous === undefined) return this.#pool.take();
    if (isWhole) return previous.namespace;
    await this.#rules.leave(previous.namespace);
    await deleteNamespaces([previous.namespace]);
    return this.#stock.makeAt(previous.namespace.address);
  }

  /** Removes a claim with its namespace; its traffic goes on to be counted for `heir`. */
  async #free(claim: Claim, heir?: Claim): Promise<void> {
    const { projectId, namespace } = claim;
    this.#claims.countAll();
    await this.#rules.leave(namespace);
    await deleteNamespaces([namespace]);
    if (heir !== undefined) {
      heir.earlierTraffic = sum(heir.earlierTraffic, totalTraffic(claim));
      await this.#claims.put(heir);
    }
    await this.#claims.remove(claim);
    await this.#rules.claimsChanged();
    const isLast =
      this.#claims.find(projectId) === undefined && this.#claims.findLeaving(projectId) === undefined;
    if (isLast) this.#projectNames.setRunning(projectId, false);
    await this.#projectNames.save();
  }

  async #saveTraffic(): Promise<void> {
    for (const claim of this.#claims.withUnsavedTraffic())
      await this.#turns.run(claim.projectId, () => this.#claims.saveTraffic(claim));
  }

  async #deleteStrays(): Promise<void> {
    const strays = await this.#stock.strays();
    if (strays.length === 0) return;
    await deleteNamespaces(strays);
    this.#options.logger.info(
      { namespaces: strays.map((stray) => stray.name) },
      "removed network namespaces that nobody owned",
    );
  }
}

function networkOf(claim: Claim | undefined): ProjectNetwork | undefined {
  if (claim === undefined) return undefined;
  const { address, name } = claim.namespace;
  return { address, namespacePath: namespacePath(name), resolvConf: resolvConfText() };
}
