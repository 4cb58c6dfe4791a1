/**
 * Holds the mesh in memory: which hosts are members, and which projects each of them may know. It is read from
 * the database at the start, and again for each project that changes, and all hosts when one of them does.
 */

import { maxMeshMembers, maxMeshProjects, type MeshProject, type MeshUpdate } from "@tijolo/protocol";
import { listMeshHosts } from "../../store/tables/hosts/mesh-host.ts";
import { listMeshProjects, type MeshProjectRow } from "../../store/tables/projects/mesh-project.ts";
import { ChangeReader } from "../../store/change-reader.ts";
import type { Database } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import { numberOfAddress, type Ipv4Network } from "./ipv4-network.ts";
import { judgeHosts, memberOf, type JudgedHost } from "./judge-hosts.ts";
import { KeyChanges } from "./key-changes.ts";
import { MeshPlaces } from "./mesh-places.ts";

/** Projects that are read in one statement. */
const readAtOnce = 500;

type MemberHost = Extract<JudgedHost, { state: "member" }>;

export interface MeshOptions {
  /** Network of the whole cluster, of which each host has a range. */
  network: Ipv4Network;
  logger: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  clock: Clock;
  /** Most that the update of one host holds. Default: what agents accept. */
  bounds?: { members: number; projects: number };
}

export class Mesh implements AsyncDisposable {
  readonly network: Ipv4Network;
  readonly keyChanges: KeyChanges;
  readonly #db: Database;
  readonly #logger: MeshOptions["logger"];
  readonly #bounds: { members: number; projects: number };
  readonly #places = new MeshPlaces();
  #hosts: ReadonlyMap<string, JudgedHost> = new Map();
  /** Machines with a gateway whose host is a member. */
  #gatewayMachines: ReadonlySet<string | null> = new Set();
  /** Hosts whose update was cut when it was last made. */
  readonly #cut = new Set<string>();
  readonly #changed = new Set<string>();
  #haveHostsChanged = false;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #hostListeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  readonly #reader: ChangeReader;

  private constructor(db: Database, { network, clock, logger, bounds }: MeshOptions) {
    this.#db = db;
    this.network = network;
    this.#logger = logger;
    this.#bounds = bounds ?? { members: maxMeshMembers, projects: maxMeshProjects };
    this.keyChanges = new KeyChanges({
      clock,
      hosts: () => this.#hosts,
      neighboursOf: (hostId) => this.#neighboursOf(hostId),
      notify: (hostIds) => this.#notify(hostIds),
    });
    this.#reader = new ChangeReader({
      hasChanged: () => this.#haveHostsChanged || this.#changed.size > 0,
      read: () => (this.#haveHostsChanged ? this.#readHosts() : this.#readProjects()),
      failure: "mesh: changes could not be read; trying again",
      logger,
    });
    const leave = [
      db.wakes.onProjects((projectId) => {
        this.#changed.add(projectId);
        this.#reader.wake();
      }),
      db.wakes.on("mesh", () => {
        this.#haveHostsChanged = true;
        this.#reader.wake();
      }),
    ];
    this.#unsubscribe = () => leave.forEach((each) => each());
  }

  static async open(db: Database, options: MeshOptions): Promise<Mesh> {
    const mesh = new Mesh(db, options);
    for (const row of await listMeshProjects(db, null)) mesh.#places.set(row.projectId, row);
    await mesh.#readHosts();
    return mesh;
  }

  /** Returns what a host is in the mesh; undefined for one that is not known, or revoked. */
  findHost(hostId: string): JudgedHost | undefined {
    return this.#hosts.get(hostId);
  }

  /**
   * True when both are members, and an account has projects on both, or a gateway on one reaches sites on the
   * other.
   */
  areNeighbours(hostId: string, otherId: string): boolean {
    const [host, other] = [this.#findMember(hostId), this.#findMember(otherId)];
    if (host === undefined || other === undefined || host === other) return false;
    return this.#places.haveCommon(hostId, otherId) || this.#serves(host, other) || this.#serves(other, host);
  }

  /** True when a gateway on this machine reaches the address, which is one of a project on the host. */
  reaches(machine: string, hostId: string, address: string): boolean {
    const [host, number] = [this.#findMember(hostId), numberOfAddress(address)];
    if (host === undefined || number === undefined || !isIn(host.network, number)) return false;
    return this.#gatewayMachines.has(machine);
  }

  /** Calls back when {@link reaches} may have changed for another reason than the project's. */
  onHostsChange(listener: () => void): () => void {
    this.#hostListeners.add(listener);
    return () => this.#hostListeners.delete(listener);
  }

  /** Returns all that the host is to know now, in one order. */
  updateFor(hostId: string): MeshUpdate {
    const host = this.#hosts.get(hostId);
    const range = host?.givenRange ?? null;
    if (host?.state !== "member") {
      const [clashesWith, mayUse] = [host?.clashesWith ?? null, this.keyChanges.keyToUse(host, [])];
      return { range, clashesWith, members: [], projects: [], gateways: [], mayUse };
    }
    const neighbours = [...this.#neighboursOf(hostId)].flatMap((id) => this.#findMember(id) ?? []);
    const members = neighbours.toSorted(byText(({ id }) => id)).slice(0, this.#bounds.members);
    const all = this.#projectsFor(hostId, new Map(members.map((member) => [member.id, member])));
    const projects = all.toSorted(byText(({ projectId }) => projectId)).slice(0, this.#bounds.projects);
    this.#noteCut(host, neighbours.length > members.length || all.length > projects.length);
    const gateways = members.filter((member) => this.#serves(member, host)).map(({ id }) => id);
    return {
      range,
      clashesWith: null,
      members: members.flatMap(memberOf),
      projects,
      gateways,
      mayUse: this.keyChanges.keyToUse(host, members),
    };
  }

  /** Calls back when what the host is to know may have changed. Returns the unsubscribe function. */
  onChange(hostId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(hostId) ?? new Set();
    this.#listeners.set(hostId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(hostId) === listeners) this.#listeners.delete(hostId);
    };
  }

  /** Resolves once all changes that were committed are read. */
  async settled(): Promise<void> {
    await this.#reader.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.keyChanges[Symbol.dispose]();
    await this.#reader[Symbol.asyncDispose]();
  }

  #findMember(hostId: string): MemberHost | undefined {
    const host = this.#hosts.get(hostId);
    return host?.state === "member" ? host : undefined;
  }

  /** True when a gateway on the one reaches sites on the other. */
  #serves(gateway: JudgedHost, { id }: JudgedHost): boolean {
    return gateway.hasGateway && this.#places.hasSites(id);
  }

  /** Returns the hosts, members or not, that a host has to do with. */
  #neighboursOf(hostId: string): Set<string> {
    const ids = new Set(this.#places.neighboursOf(hostId));
    if (this.#hosts.get(hostId)?.hasGateway === true)
      for (const id of this.#places.hostsWithSites()) ids.add(id);
    if (this.#places.hasSites(hostId)) for (const id of this.#gatewayHosts()) ids.add(id);
    ids.delete(hostId);
    return ids;
  }

  #gatewayHosts(): string[] {
    return [...this.#hosts.values()].filter(({ hasGateway }) => hasGateway).map(({ id }) => id);
  }

  /** Returns the projects of these members; one whose address lies outside of its host's range is left out. */
  #projectsFor(hostId: string, members: ReadonlyMap<string, MemberHost>): MeshProject[] {
    const projects: MeshProject[] = [];
    for (const project of this.#places.projectsFor(hostId)) {
      const network = members.get(project.hostId)?.network;
      const address = numberOfAddress(project.address);
      if (network === undefined || address === undefined) continue;
      if (isIn(network, address)) projects.push(project);
    }
    return projects;
  }

  #noteCut({ id, name }: JudgedHost, isCut: boolean): void {
    if (!isCut) this.#cut.delete(id);
    else if (!this.#cut.has(id)) {
      this.#cut.add(id);
      this.#logger.warn(
        { hostId: id, name },
        "mesh: a host has more neighbours or projects of theirs than it can be told",
      );
    }
  }

  async #readHosts(): Promise<void> {
    this.#haveHostsChanged = false;
    try {
      const before = this.#hosts;
      this.#hosts = judgeHosts(await listMeshHosts(this.#db), this.network);
      const members = [...this.#hosts.values()].filter(({ state }) => state === "member");
      this.#gatewayMachines = new Set(members.flatMap((host) => (host.hasGateway ? [host.machine] : [])));
      this.#notify(this.#compare(before));
      for (const listener of this.#hostListeners) listener();
    } catch (error) {
      this.#haveHostsChanged = true;
      throw error;
    }
  }

  async #readProjects(): Promise<void> {
    const projectIds = [...this.#changed].slice(0, readAtOnce);
    for (const projectId of projectIds) this.#changed.delete(projectId);
    try {
      const rows = await listMeshProjects(this.#db, projectIds);
      const found = new Map(rows.map((row) => [row.projectId, row]));
      this.#notify(new Set(projectIds.flatMap((id) => [...this.#setProject(id, found.get(id))])));
    } catch (error) {
      for (const projectId of projectIds) this.#changed.add(projectId);
      throw error;
    }
  }

  /** Stores where a project is placed now. Returns the hosts whose mesh update may have changed. */
  #setProject(projectId: string, row: MeshProjectRow | undefined): ReadonlySet<string> {
    const siteOn = () => {
      const project = this.#places.find(projectId);
      return project?.isSite === true ? project.hostId : null;
    };
    const before = siteOn();
    const affected = this.#places.set(projectId, row);
    return siteOn() === before ? affected : new Set([...affected, ...this.#gatewayHosts()]);
  }

  /** Returns the hosts that changed and their neighbours, and logs those that can be no members. */
  #compare(before: ReadonlyMap<string, JudgedHost>): Set<string> {
    const affected = new Set<string>();
    for (const id of new Set([...before.keys(), ...this.#hosts.keys()])) {
      const [then, now] = [before.get(id), this.#hosts.get(id)];
      if (JSON.stringify(then) === JSON.stringify(now)) continue;
      if (now !== undefined) this.#noteState(now, then);
      for (const other of [id, ...this.#neighboursOf(id)]) affected.add(other);
      if (then?.hasGateway === true) for (const other of this.#places.hostsWithSites()) affected.add(other);
    }
    return affected;
  }

  #noteState({ id, name, state, clashesWith, own }: JudgedHost, before: JudgedHost | undefined): void {
    const fields = { hostId: id, name, range: own?.range };
    if (clashesWith !== null && before?.clashesWith !== clashesWith)
      this.#logger.warn(
        { ...fields, clashesWith },
        "mesh: a host has the range of another one, and is no member",
      );
    else if (state === "none" && own !== null && before?.own?.range !== own.range)
      this.#logger.warn(fields, "mesh: a host's range lies outside of the cluster's, and it is no member");
  }

  #notify(hostIds: ReadonlySet<string>): void {
    for (const hostId of hostIds) for (const listener of this.#listeners.get(hostId) ?? []) listener();
  }
}

function isIn({ start, size }: Ipv4Network, address: number): boolean {
  return address >= start && address < start + size;
}

/** Orders by texts of ASCII, as ids are. */
function byText<Item>(textOf: (item: Item) => string): (one: Item, other: Item) => number {
  return (one, other) => (textOf(one) < textOf(other) ? -1 : 1);
}
