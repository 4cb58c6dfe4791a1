/** Keeps projects of other hosts in the firewall: those of accounts that have a project here. */

import type { ClaimRegister } from "./claim-register.ts";
import type { Firewall } from "./firewall.ts";
import type { FirewallEntry } from "./firewall-rules.ts";

/** A project of another host. */
export interface DistantProject {
  projectId: string;
  accountId: string;
  address: string;
}

export interface MeshEntriesOptions {
  claims: Pick<ClaimRegister, "all" | "takeMeshMarks">;
  firewall: Pick<Firewall, "set" | "remove">;
}

export class MeshEntries {
  readonly #options: MeshEntriesOptions;
  #projects: readonly DistantProject[];
  /** Entries that are in the firewall, by address. */
  #entries = new Map<string, FirewallEntry>();

  /** `projects` are those that an earlier agent knew. */
  constructor(options: MeshEntriesOptions, projects: readonly DistantProject[]) {
    this.#options = options;
    this.#projects = projects;
  }

  get projects(): readonly DistantProject[] {
    return this.#projects;
  }

  /** Returns the entries for a firewall that has none of them yet. */
  begin(): FirewallEntry[] {
    this.#entries = this.#wanted();
    return [...this.#entries.values()];
  }

  /** Replaces the projects. Resolves once the firewall has them. */
  set(projects: readonly DistantProject[]): Promise<void> {
    this.#projects = projects;
    return this.refresh();
  }

  /** Must be called after an account got its first claim here, or lost its last one. */
  async refresh(): Promise<void> {
    const { firewall } = this.#options;
    const earlier = this.#entries;
    const wanted = this.#wanted();
    this.#entries = wanted;
    // All in one turn, so that no account gets a mark that another's entry still has.
    const changes = [...earlier.values()].flatMap((entry) =>
      wanted.get(entry.address)?.accountMark === entry.accountMark ? [] : [firewall.remove(entry)],
    );
    for (const entry of wanted.values())
      if (earlier.get(entry.address)?.accountMark !== entry.accountMark) changes.push(firewall.set(entry));
    await Promise.all(changes);
  }

  #wanted(): Map<string, FirewallEntry> {
    const { claims } = this.#options;
    const marks = claims.takeMeshMarks(this.#projects.map(({ accountId }) => accountId));
    // A project of this host keeps its address while it runs, also after the host was given another range.
    const own = new Set(claims.all().map(({ namespace: { address } }) => address));
    return new Map(
      this.#projects.flatMap(({ accountId, address }): [string, FirewallEntry][] => {
        const accountMark = marks.get(accountId);
        if (accountMark === undefined || own.has(address)) return [];
        return [[address, { interface: null, address, accountMark }]];
      }),
    );
  }
}
