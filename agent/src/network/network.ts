/** Gives each project a network namespace with an address of its own, and keeps strangers, the host and private networks out of reach. */

import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import type { Logger } from "pino";
import { isInRange, nextAddress, parseAddressRange, type AddressRange } from "./address-range.ts";
import { readClaims, removeClaim, writeClaim, type Claim, type Traffic } from "./claim-file.ts";
import { Firewall } from "./firewall.ts";
import type { FirewallEntry } from "./firewall-rules.ts";
import { instanceNames, serialPattern, type InstanceNames } from "./instance-names.ts";
import { deleteNamespaces, findTraffic, hasNamespace, listInterfaces, listNamespaces, makeNamespaces, namespacePath, type Namespace } from "./namespace.ts";
import { NamespacePool } from "./namespace-pool.ts";
import { findHostResolvers, resolvConfText } from "./resolvers.ts";
import { findForeignRoutes } from "./subnet-conflict.ts";

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
  await refuseForeignSubnet(options);
  await enableForwarding(options.logger);
  const { claims, unreadable } = await readClaims(options.stateDirectory);
  if (unreadable.length > 0) options.logger.warn({ files: unreadable }, "claims of network namespaces could not be read");
  const resolvers = await usableResolvers(options.logger);
  const network = new Network(options, claims, resolvers);
  await network.adopt();
  return network;
}

export class Network {
  readonly #options: NetworkOptions;
  readonly #names: InstanceNames;
  readonly #range: AddressRange;
  readonly #firewall: Firewall;
  readonly #pool: NamespacePool;
  readonly #claims: Map<string, Claim>;
  /** What goes on with one project happens one after the other. */
  readonly #queues = new Map<string, Promise<unknown>>();
  /** Made or being made, and nobody's yet. */
  readonly #unclaimed = new Set<Namespace>();
  #resolvers: string[];
  #lastAddress: string | undefined;

  /** Use {@link createNetwork}. */
  constructor(options: NetworkOptions, claims: readonly Claim[], resolvers: string[]) {
    this.#options = options;
    this.#names = instanceNames(options.instanceName);
    this.#range = parseAddressRange(options.cidr);
    this.#resolvers = resolvers;
    this.#claims = new Map(claims.map((claim) => [claim.projectId, claim]));
    this.#lastAddress = claims.at(-1)?.namespace.address;
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
      const previous = this.#claims.get(projectId);
      const isWhole = previous !== undefined && (await hasNamespace(previous.namespace));
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
    return this.#claims.has(projectId) ? this.#answer(projectId) : undefined;
  }

  /** Cuts the project off and gives its address back. Nothing claimed: does nothing. */
  release(projectId: string): Promise<void> {
    return this.#inTurn(projectId, async () => {
      const claim = this.#claims.get(projectId);
      if (claim === undefined) return;
      await this.#firewall.remove(claim.namespace.interface);
      await deleteNamespaces([claim.namespace]);
      await removeClaim(this.#options.stateDirectory, projectId);
      this.#claims.delete(projectId);
    });
  }

  /** Bytes of every project that has a network, counted since it first claimed one. */
  async usage(): Promise<Map<string, Traffic>> {
    const totals = await Promise.all([...this.#claims.values()].map(async (claim) => [claim.projectId, await this.#count(claim)] as const));
    return new Map(totals);
  }

  /** Frees what none of these projects owns, and mends the rules if another program has flushed them. */
  async reconcile(projectIds: Iterable<string>): Promise<void> {
    const kept = new Set(projectIds);
    for (const projectId of [...this.#claims.keys()].filter((id) => !kept.has(id))) await this.release(projectId);
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
    for (const claim of this.#claims.values()) {
      if (!(await hasNamespace(claim.namespace))) continue;
      void this.#firewall.set(entryOf(claim.namespace, claim.accountMark)).catch(() => {}); // restore, below, tells of it
    }
    await this.#firewall.restore(this.#resolvers);
    await this.#deleteStrays();
    void this.#pool.fill();
  }

  async #enter(projectId: string, accountId: string, previous: Claim | undefined, isWhole: boolean): Promise<void> {
    const namespace = await this.#namespaceFor(previous, isWhole);
    const accountMark = this.#markOf(accountId);
    const none = { receivedBytes: 0, sentBytes: 0 };
    const claim: Claim = {
      projectId,
      accountId,
      accountMark,
      namespace,
      earlierTraffic: isWhole || previous === undefined ? (previous?.earlierTraffic ?? none) : total(previous),
      latestTraffic: isWhole ? (previous?.latestTraffic ?? none) : none,
    };
    this.#claims.set(projectId, claim);
    this.#unclaimed.delete(namespace);
    try {
      await Promise.all([this.#firewall.set(entryOf(namespace, accountMark)), writeClaim(this.#options.stateDirectory, claim)]);
    } catch (error) {
      // Nobody's now: the next reconciliation deletes it.
      this.#claims.delete(projectId);
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

  /** Marks are this host's own business: the same account keeps its mark for as long as it has a claim here. */
  #markOf(accountId: string): number {
    const claims = [...this.#claims.values()];
    const known = claims.find((claim) => claim.accountId === accountId);
    if (known !== undefined) return known.accountMark;
    const marks = new Set(claims.map((claim) => claim.accountMark));
    let mark = 1;
    while (marks.has(mark)) mark++;
    return mark;
  }

  #answer(projectId: string): ProjectNetwork {
    const claim = this.#claims.get(projectId);
    if (claim === undefined) throw new Error(`Project ${projectId} has no network`);
    return { address: claim.namespace.address, namespacePath: namespacePath(claim.namespace.name), resolvConf: this.resolvConf() };
  }

  async #count(claim: Claim): Promise<Traffic> {
    const seen = await findTraffic(claim.namespace.interface);
    if (seen !== undefined) claim.latestTraffic = seen;
    return total(claim);
  }

  async #saveTraffic(): Promise<void> {
    for (const claim of [...this.#claims.values()]) {
      await this.#inTurn(claim.projectId, async () => {
        if (this.#claims.get(claim.projectId) !== claim) return;
        await this.#count(claim);
        await writeClaim(this.#options.stateDirectory, claim);
      });
    }
  }

  #known(): Namespace[] {
    return [...this.#unclaimed, ...[...this.#claims.values()].map((claim) => claim.namespace)];
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
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)).filter((serial) => serialPattern.test(serial));
}

function total({ earlierTraffic, latestTraffic }: Claim): Traffic {
  return {
    receivedBytes: earlierTraffic.receivedBytes + latestTraffic.receivedBytes,
    sentBytes: earlierTraffic.sentBytes + latestTraffic.sentBytes,
  };
}

async function refuseForeignSubnet({ cidr, instanceName, logger }: NetworkOptions): Promise<void> {
  const subnet = parseAddressRange(cidr).cidr;
  const { inside, around } = await findForeignRoutes(subnet, instanceNames(instanceName).interfacePrefix);
  if (inside.length > 0) {
    throw new Error(`The subnet ${subnet} is in use on this machine (${inside.slice(0, 3).join(", ")}); give this agent another one`);
  }
  if (around.length > 0) logger.warn({ subnet, routes: around }, "the projects' subnet lies in a network of this machine");
}

async function enableForwarding(logger: NetworkOptions["logger"]): Promise<void> {
  const file = "/proc/sys/net/ipv4/ip_forward";
  if ((await readFile(file, "utf8")).trim() === "1") return;
  await writeFile(file, "1");
  logger.info("turned on net.ipv4.ip_forward");
}

async function usableResolvers(logger: NetworkOptions["logger"]): Promise<string[]> {
  const { addresses, isFromHost } = await findHostResolvers();
  if (!isFromHost) logger.warn({ resolvers: addresses }, "the host names no resolver that projects can reach; they ask public ones");
  return addresses;
}
