/**
 * Holds where the projects of every account are placed, so that a change costs as much as its account has
 * hosts, however large the cluster is.
 */

import type { MeshProjectRow } from "../../store/tables/projects/mesh-project.ts";

export class MeshPlaces {
  readonly #projects = new Map<string, MeshProjectRow>();
  /** Projects by account and host. */
  readonly #accounts = new Map<string, Map<string, Map<string, MeshProjectRow>>>();
  /** Accounts with projects on a host. */
  readonly #onHost = new Map<string, Set<string>>();
  /** How many accounts two hosts have in common. */
  readonly #shared = new Map<string, Map<string, number>>();
  /** Sites by host. */
  readonly #sites = new Map<string, Set<string>>();
  /** Projects by host and address, in the order in which they came to it. */
  readonly #holders = new Map<string, Set<string>>();

  /**
   * Stores where a project is placed now; undefined when it is gone. Returns the hosts whose mesh update may
   * have changed: those with projects of its account, and of an account that waited for its address.
   */
  set(projectId: string, row: MeshProjectRow | undefined): ReadonlySet<string> {
    const before = this.#projects.get(projectId);
    if (isSame(before, row)) return new Set();
    const affected = new Set(this.#around(before));
    if (before !== undefined) this.#remove(before);
    if (row !== undefined) this.#add(row);
    for (const hostId of this.#around(row)) affected.add(hostId);
    return affected;
  }

  find(projectId: string): MeshProjectRow | undefined {
    return this.#projects.get(projectId);
  }

  hasSites(hostId: string): boolean {
    return this.#sites.has(hostId);
  }

  /** Returns the hosts that sites are placed on. */
  hostsWithSites(): Iterable<string> {
    return this.#sites.keys();
  }

  /** Returns the hosts with which a host has an account in common. */
  neighboursOf(hostId: string): string[] {
    return [...(this.#shared.get(hostId)?.keys() ?? [])];
  }

  haveCommon(hostId: string, otherId: string): boolean {
    return this.#shared.get(hostId)?.has(otherId) === true;
  }

  /**
   * Yields the projects with an address on other hosts, of accounts that have projects on this one. Of several
   * with one address on one host, only the first that had it counts.
   */
  *projectsFor(hostId: string): Generator<MeshProjectRow & { address: string }> {
    for (const accountId of this.#onHost.get(hostId) ?? [])
      for (const [otherId, projects] of this.#accounts.get(accountId) ?? []) {
        if (otherId === hostId) continue;
        for (const project of projects.values()) if (this.#holds(project)) yield project;
      }
  }

  #holds(project: MeshProjectRow): project is MeshProjectRow & { address: string } {
    if (project.address === null) return false;
    const [first] = this.#holders.get(placeOf(project)) ?? [];
    return first === project.projectId;
  }

  /** Returns the hosts of the accounts that a project, or another one at its address, belongs to. */
  *#around(row: MeshProjectRow | undefined): Generator<string> {
    if (row === undefined) return;
    const rivals = row.address === null ? [] : [...(this.#holders.get(placeOf(row)) ?? [])];
    const accounts = rivals.map((projectId) => this.#projects.get(projectId)?.accountId ?? row.accountId);
    for (const accountId of new Set([row.accountId, ...accounts]))
      yield* this.#accounts.get(accountId)?.keys() ?? [];
  }

  #add(row: MeshProjectRow): void {
    const { projectId, accountId, hostId } = row;
    this.#projects.set(projectId, row);
    const hosts = entry(this.#accounts, accountId, () => new Map());
    const projects = hosts.get(hostId);
    if (projects !== undefined) projects.set(projectId, row);
    else {
      for (const otherId of hosts.keys()) this.#share(hostId, otherId, 1);
      hosts.set(hostId, new Map([[projectId, row]]));
      entry(this.#onHost, hostId, () => new Set()).add(accountId);
    }
    if (row.isSite) entry(this.#sites, hostId, () => new Set()).add(projectId);
    if (row.address !== null) entry(this.#holders, placeOf(row), () => new Set()).add(projectId);
  }

  #remove(row: MeshProjectRow): void {
    const { projectId, accountId, hostId } = row;
    this.#projects.delete(projectId);
    const hosts = this.#accounts.get(accountId);
    const projects = hosts?.get(hostId);
    projects?.delete(projectId);
    if (hosts !== undefined && projects?.size === 0) {
      hosts.delete(hostId);
      for (const otherId of hosts.keys()) this.#share(hostId, otherId, -1);
      if (hosts.size === 0) this.#accounts.delete(accountId);
      removeFrom(this.#onHost, hostId, accountId);
    }
    if (row.isSite) removeFrom(this.#sites, hostId, projectId);
    if (row.address !== null) removeFrom(this.#holders, placeOf(row), projectId);
  }

  #share(hostId: string, otherId: string, change: 1 | -1): void {
    for (const [one, other] of [
      [hostId, otherId],
      [otherId, hostId],
    ] as const) {
      const counts = entry(this.#shared, one, () => new Map());
      const count = (counts.get(other) ?? 0) + change;
      if (count > 0) counts.set(other, count);
      else counts.delete(other);
      if (counts.size === 0) this.#shared.delete(one);
    }
  }
}

function isSame(one: MeshProjectRow | undefined, other: MeshProjectRow | undefined): boolean {
  return (
    one?.hostId === other?.hostId &&
    one?.address === other?.address &&
    one?.accountId === other?.accountId &&
    one?.isSite === other?.isSite
  );
}

function placeOf({ hostId, address }: MeshProjectRow): string {
  return `${hostId} ${address}`;
}

/** Returns the value of a key, which is made when there is none. */
function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function removeFrom(map: Map<string, Set<string>>, key: string, item: string): void {
  const items = map.get(key);
  items?.delete(item);
  if (items?.size === 0) map.delete(key);
}
