/** Gives each project a network namespace with an address of its own, and keeps strangers, the host and private networks out of reach. */

import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Logger } from "pino";
import { isInRange, nextAddress, parseAddressRange, type AddressRange } from "./address-range.ts";
import type { Claim, Traffic } from "./claim-file.ts";
import { ClaimRegister, totalTraffic } from "./claim-register.ts";
import { Firewall } from "./firewall.ts";
import type { FirewallEntry } from "./firewall-rules.ts";
import { instanceNames, serialPattern, type InstanceNames } from "./instance-names.ts";
import {
  deleteNamespaces,
  hasNamespace,
  listInterfaces,
  listNamespaces,
  makeNamespaces,
  namespacePath,
  type Namespace,
} from "./namespace.ts";
import { NamespacePool } from "./namespace-pool.ts";
import { enableForwarding, refuseForeignSubnet, usableResolvers } from "./prepare-host.ts";
import { resolvConfText } from "./resolvers.ts";

export interface NetworkOptions {
  /** Tells the agents of one machine apart; in the name of everything made in the kernel. */
  instanceName: string;
  /** Subnet of this agent, between /16 and /30; no other agent or network of the machine may have it. */
  cidr: string;
  /** Remembers claims over restarts. */
  stateDirectory: string;
  logger: Pick<Logger, "info" | "warn">;
  /** Namespaces kept ready. Default 4. */
  poolSize?: number;
  /** Open connections that one project may have to the outside. Default 2,000. */
  connectionLimit?: number;
}

export interface ProjectNetwork {
  address: string;
  /** For nsenter and `NetworkNamespacePath=`. */
  namespacePath: string;
  /** Text of the container's /etc/resolv.conf. */
  resolvConf: string;
}

/**
 * Sets up the instance's rules, takes over the claims of an earlier agent, and makes a pool of namespaces in the background.
 * Throws when another agent or network of the machine has addresses of the subnet.
 */
export async function createNetwork(options: NetworkOptions): Promise<Network> {
  const { cidr, instanceName, logger } = options;
  await refuseForeignSubnet(parseAddressRange(cidr).cidr, instanceNames(instanceName).interfacePrefix, logger);
  await enableForwarding(logger);
  const claims = await ClaimRegister.open(options.stateDirectory, logger);
  const network = new Network(options, claims, await usableResolvers(logger));
  await network.adopt();
  return network;
}

export class Network {
  readonly #options: NetworkOptions;
  readonly #names: InstanceNames;
  readonly #range: AddressRange;
  readonly #firewall: Firewall;
  readonly #pool: NamespacePool;
  readonly #claims: ClaimRegister;
  /** What goes on with one project happens one after the other. */
  readonly #queues = new Map<string, Promise<unknown>>();
  /** Made or being made, and nobody's yet. */
  readonly #unclaimed = new Set<Namespace>();
  #resolvers: string[];
  #lastAddress: string | undefined;

  /** Use {@link createNetwork}. */
  constructor(options: NetworkOptions, claims: ClaimRegister, resolvers: string[]) {
    this.#options = options;
    this.#names = instanceNames(options.instanceName);
    this.#range = parseAddressRange(options.cidr);
    this.#resolvers = resolvers;
    this.#claims = claims;
    this.#lastAddress = claims.all().at(-1)?.namespace.address;
    this.#firewall = new Firewall({
      names: this.#names,
      cidr: this.#range.cidr,
      resolvers,
      connectionLimit: options.connectionLimit ?? 2_000,
    });
    this.#pool = new NamespacePool({ size: options.poolSize ?? 4, make: (count) => this.#make(count), logger: options.logger });
  }

  /** Content of a container's /etc/resolv.conf. */
  resolvConf(): string {
    return resolvConfText(this.#resolvers);
  }

  /**
   * The project's network; the same one on every call until it is released, also after a restart of the agent, and with the
   * same address after one of the host. Projects with the same account id reach each other.
   */
  claim(projectId: string, { accountId }: { accountId: string }): Promise<ProjectNetwork> {
    return this.#inTurn(projectId, async () => {
      const previous = this.#claims.find(projectId);
      const isWhole =
        previous !== undefined && isInRange(this.#range, previous.namespace.address) && (await hasNamespace(previous.namespace));
      if (!isWhole || previous.accountId !== accountId) await this.#enter(projectId, accountId, previous, isWhole);
      return this.#answer(projectId);
    });
  }

  /** Resolves once the pool is full. */
  fillPool(): Promise<void> {
    return this.#pool.fill();
  }

  /** The network that the project has claimed. */
  find(projectId: string): ProjectNetwork | undefined {
    return this.#claims.find(projectId) !== undefined ? this.#answer(projectId) : undefined;
  }

  /** Cuts the project off and gives its address back. Nothing claimed: does nothing. */
  release(projectId: string): Promise<void> {
    return this.#inTurn(projectId, async () => {
      const claim = this.#claims.find(projectId);
      if (claim === undefined) return;
      await this.#firewall.remove(claim.namespace.interface);
      await deleteNamespaces([claim.namespace]);
      await this.#claims.remove(projectId);
    });
  }

  /** Bytes of every project that has a network, counted since it first claimed one. */
  async usage(): Promise<Map<string, Traffic>> {
    const totals = await Promise.all(
      this.#claims.all().map(async (claim) => [claim.projectId, await this.#claims.countTraffic(claim)] as const),
    );
    return new Map(totals);
  }

  /** Frees what none of these projects owns, and mends the rules if another program has flushed them. */
  async reconcile(projectIds: Iterable<string>): Promise<void> {
    const kept = new Set(projectIds);
    for (const { projectId } of this.#claims.all()) {
      if (!kept.has(projectId)) await this.release(projectId);
    }
    this.#resolvers = await usableResolvers(this.#options.logger);
    await this.#firewall.restore(this.#resolvers);
    await this.#deleteStrays();
    await this.#saveTraffic();
  }

  /** Lets go of the pool. Claimed namespaces stay for the next agent, and the rules with them. */
  async close(): Promise<void> {
    const unused = await this.#pool.close();
    await Promise.allSettled(this.#queues.values());
    await Promise.all(unused.map((namespace) => this.#firewall.remove(namespace.interface)));
    await deleteNamespaces(unused);
    for (const namespace of unused) this.#unclaimed.delete(namespace);
    await this.#saveTraffic();
    if (this.#claims.all().length === 0) await this.#firewall.destroy();
  }

  /** Removes everything of this instance from the machine, claimed or not, and what it remembers. */
  async destroy(): Promise<void> {
    await this.#pool.close();
    await Promise.allSettled(this.#queues.values());
    this.#claims.clear();
    this.#unclaimed.clear();
    await deleteNamespaces(await this.#strays());
    await this.#firewall.destroy();
    await rm(this.#options.stateDirectory, { recursive: true, force: true });
  }

  /** Brings rules and namespaces into agreement with the claims of an earlier agent. */
  async adopt(): Promise<void> {
    const claims = this.#claims.all();
    const isThere = await Promise.all(claims.map((claim) => hasNamespace(claim.namespace)));
    const entries = claims.filter((_, index) => isThere[index]).map((claim) => entryOf(claim.namespace, claim.accountMark));
    await this.#firewall.restore(this.#resolvers, entries);
    await this.#deleteStrays();
    void this.#pool.fill();
  }

  async #enter(projectId: string, accountId: string, previous: Claim | undefined, isWhole: boolean): Promise<void> {
    const namespace = await this.#namespaceFor(previous, isWhole);
    const accountMark = this.#claims.markOf(accountId);
    const none = { receivedBytes: 0, sentBytes: 0 };
    const claim: Claim = {
      projectId,
      accountId,
      accountMark,
      namespace,
      earlierTraffic: isWhole || previous === undefined ? (previous?.earlierTraffic ?? none) : totalTraffic(previous),
      latestTraffic: isWhole ? (previous?.latestTraffic ?? none) : none,
    };
    try {
      await Promise.all([this.#firewall.set(entryOf(namespace, accountMark)), this.#claims.put(claim)]);
      this.#unclaimed.delete(namespace);
    } catch (error) {
      // Nobody's now: the next reconciliation deletes it.
      this.#unclaimed.delete(namespace);
      await this.#claims.remove(projectId).catch(() => {});
      await this.#firewall.remove(namespace.interface).catch(() => {});
      throw error;
    }
  }

  async #namespaceFor(previous: Claim | undefined, isWhole: boolean): Promise<Namespace> {
    if (previous === undefined) return this.#pool.take();
    if (isWhole) return previous.namespace;
    await this.#firewall.remove(previous.namespace.interface);
    await deleteNamespaces([previous.namespace]);
    const { address } = previous.namespace;
    const namespace = this.#newNamespace(isInRange(this.#range, address) ? address : this.#freeAddress());
    await this.#makeAll([namespace]);
    return namespace;
  }

  async #make(count: number): Promise<Namespace[]> {
    const namespaces = Array.from({ length: count }, () => this.#newNamespace(this.#freeAddress()));
    await this.#makeAll(namespaces);
    return namespaces;
  }

  async #makeAll(namespaces: readonly Namespace[]): Promise<void> {
    try {
      await makeNamespaces(namespaces);
      await Promise.all(namespaces.map((namespace) => this.#firewall.set(entryOf(namespace, null))));
    } catch (error) {
      for (const namespace of namespaces) this.#unclaimed.delete(namespace);
      throw error;
    }
  }

  #newNamespace(address: string): Namespace {
    const serial = (randomBytes(6).readUIntBE(0, 6) % 36 ** 8).toString(36).padStart(8, "0");
    const namespace = { interface: `${this.#names.interfacePrefix}${serial}`, name: `${this.#names.namespacePrefix}${serial}`, address };
    this.#unclaimed.add(namespace);
    return namespace;
  }

  #freeAddress(): string {
    const taken = new Set(this.#known().map((namespace) => namespace.address));
    const address = nextAddress(this.#range, (candidate) => taken.has(candidate), this.#lastAddress);
    if (address === undefined) throw new Error(`Every address of ${this.#range.cidr} is taken`);
    this.#lastAddress = address;
    return address;
  }

  #answer(projectId: string): ProjectNetwork {
    const claim = this.#claims.find(projectId);
    if (claim === undefined) throw new Error(`Project ${projectId} has no network`);
    return { address: claim.namespace.address, namespacePath: namespacePath(claim.namespace.name), resolvConf: this.resolvConf() };
  }

  async #saveTraffic(): Promise<void> {
    for (const claim of this.#claims.all()) await this.#inTurn(claim.projectId, () => this.#claims.saveTraffic(claim));
  }

  #known(): Namespace[] {
    return [...this.#unclaimed, ...this.#claims.all().map((claim) => claim.namespace)];
  }

  async #deleteStrays(): Promise<void> {
    const strays = await this.#strays();
    if (strays.length === 0) return;
    await deleteNamespaces(strays);
    this.#options.logger.info({ namespaces: strays.map((stray) => stray.name) }, "removed network namespaces that nobody owned");
  }

  /** What bears this instance's names and belongs to nobody. */
  async #strays(): Promise<{ interface: string; name: string }[]> {
    const [interfaces, namespaces] = await Promise.all([listInterfaces(), listNamespaces()]);
    const { interfacePrefix, namespacePrefix } = this.#names;
    const known = new Set(this.#known().map((namespace) => namespace.name));
    const serials = [...serialsOf(interfaces, interfacePrefix), ...serialsOf(namespaces, namespacePrefix)];
    return [...new Set(serials)]
      .map((serial) => ({ interface: `${interfacePrefix}${serial}`, name: `${namespacePrefix}${serial}` }))
      .filter(({ name }) => !known.has(name));
  }

  async #inTurn<Result>(projectId: string, work: () => Promise<Result>): Promise<Result> {
    const previous = this.#queues.get(projectId) ?? Promise.resolve();
    const turn = previous.then(work, work);
    this.#queues.set(projectId, turn);
    try {
      return await turn;
    } finally {
      if (this.#queues.get(projectId) === turn) this.#queues.delete(projectId);
    }
  }
}

function entryOf({ interface: link, address }: Namespace, accountMark: number | null): FirewallEntry {
  return { interface: link, address, accountMark };
}

function serialsOf(names: readonly string[], prefix: string): string[] {
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((serial) => serialPattern.test(serial));
}
