/**
 * Keeps the rules around projects: those of this host, and those of other hosts that they may reach. Other
 * software's chains are told to let them through.
 */

import type { Logger } from "pino";
import type { Claim } from "./claim-file.ts";
import type { ClaimRegister } from "./claim-register.ts";
import { Firewall } from "./firewall.ts";
import type { FirewallEntry, FirewallSettings } from "./firewall-rules.ts";
import { ForwardPolicy } from "./forward-policy.ts";
import { MeshEntries, type DistantProject } from "./mesh-entries.ts";
import type { Namespace } from "./namespace.ts";

export interface ProjectRulesOptions {
  settings: FirewallSettings;
  claims: Pick<ClaimRegister, "all" | "find" | "findLeaving" | "takeMeshMarks">;
  /** Projects of other hosts, as an earlier agent knew them. */
  distant: readonly DistantProject[];
  logger: Pick<Logger, "info" | "warn">;
}

export class ProjectRules {
  readonly #options: ProjectRulesOptions;
  readonly #firewall: Firewall;
  readonly #meshEntries: MeshEntries;
  readonly #forwardPolicy: ForwardPolicy;
  /** Ports of the sites that gateways on other hosts reach. */
  readonly #sitePorts = new Map<string, number>();

  constructor(options: ProjectRulesOptions) {
    const { settings, claims, distant, logger } = options;
    this.#options = options;
    this.#firewall = new Firewall(settings);
    this.#meshEntries = new MeshEntries({ claims, firewall: this.#firewall }, distant);
    this.#forwardPolicy = new ForwardPolicy({ names: settings.names, logger });
  }

  /** Projects of other hosts that run there. */
  get distant(): readonly DistantProject[] {
    return this.#meshEntries.projects;
  }

  /** Writes all rules, with those of these claims and of other namespaces from their first moment on. */
  async adopt(
    resolvers: readonly string[],
    { claims, others }: { claims: readonly Claim[]; others: readonly Namespace[] },
  ): Promise<void> {
    const own = [
      ...others.map((namespace) => entryOf(namespace, null)),
      ...claims.map((claim) => this.#entryOfClaim(claim)),
    ];
    await this.#firewall.restore(resolvers, [...own, ...this.#meshEntries.begin()]);
    await this.#openForwardPolicy();
  }

  /** Lets a namespace send that nobody has claimed. */
  admit(namespace: Namespace): Promise<void> {
    return this.#firewall.set(entryOf(namespace, null));
  }

  /** Lets a claimed namespace and those of its account reach each other. */
  enter(claim: Claim): Promise<void> {
    return this.#firewall.set(this.#entryOfClaim(claim));
  }

  leave(namespace: Namespace): Promise<void> {
    return this.#firewall.remove(namespace);
  }

  /** Must be called after a claim was put or removed: its account may have come here, or have left. */
  async claimsChanged(): Promise<void> {
    for (const projectId of this.#sitePorts.keys())
      if (!this.#hasClaim(projectId)) this.#sitePorts.delete(projectId);
    await this.#meshEntries.refresh();
  }

  /** Sets the projects of other hosts that run, and the addresses of the hosts that have a gateway. */
  async setDistant(projects: readonly DistantProject[], gateways: readonly string[]): Promise<void> {
    await Promise.all([this.#meshEntries.set(projects), this.#firewall.setGateways(gateways)]);
  }

  /**
   * Sets the port at which gateways on other hosts reach the project; null: they do not. Written in the
   * background; the next change or look makes up for a failed one.
   */
  setSite(projectId: string, port: number | null): void {
    if ((this.#sitePorts.get(projectId) ?? null) === port) return;
    if (port === null) this.#sitePorts.delete(projectId);
    else this.#sitePorts.set(projectId, port);
    const { claims, logger } = this.#options;
    for (const claim of [claims.find(projectId), claims.findLeaving(projectId)])
      if (claim !== undefined)
        this.enter(claim).catch((error: unknown) =>
          logger.warn({ err: error, projectId }, "the rules of a site could not be written"),
        );
  }

  /** Restores the rules where another program has flushed or changed them. */
  async mend(resolvers: readonly string[]): Promise<void> {
    await this.#firewall.mend(resolvers);
    await this.#openForwardPolicy();
  }

  /** Releases the rules, which stay. */
  close(): Promise<void> {
    return this.#firewall.close();
  }

  async remove(): Promise<void> {
    await this.#forwardPolicy.close();
    await this.#firewall.destroy();
  }

  #hasClaim(projectId: string): boolean {
    const { claims } = this.#options;
    return claims.find(projectId) !== undefined || claims.findLeaving(projectId) !== undefined;
  }

  #entryOfClaim({ projectId, namespace, accountMark }: Claim): FirewallEntry {
    return { ...entryOf(namespace, accountMark), sitePort: this.#sitePorts.get(projectId) ?? null };
  }

  /**
   * Logs a failure instead of throwing it: a problem with another program's chains must not stop the service
   * of all projects.
   */
  async #openForwardPolicy(): Promise<void> {
    await this.#forwardPolicy
      .open()
      .catch((error: unknown) =>
        this.#options.logger.warn({ err: error }, "chains of other programs could not be looked at"),
      );
  }
}

function entryOf({ interface: link, address }: Namespace, accountMark: number | null): FirewallEntry {
  return { interface: link, address, accountMark };
}
