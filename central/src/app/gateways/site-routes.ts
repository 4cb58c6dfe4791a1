/**
 * Holds where the visitors of each site go, in memory: read from the database at the start, and again for
 * each project that changes, and all own domains when one of them does.
 */

import { mayHaveRun, type AccessLog, type SiteRoute, type SiteAddress } from "@tijolo/protocol";
import { listActiveHostnames, type ActiveHostname } from "../../store/tables/projects/domain.ts";
import { listServedSites, type ServedSite } from "../../store/tables/projects/served-site.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { isOwnSubdomain } from "./own-subdomain.ts";
import { ChangeReader } from "../../store/change-reader.ts";
import type { Database } from "../../store/store.ts";
import type { Logger } from "pino";

/** Projects that are read in one statement. */
const readAtOnce = 500;

interface ServedRoute {
  hostnames: string[];
  site: SiteAddress | null;
  hostId: string;
  /** Where the site's host runs. */
  machine: string | null;
  hasHsts: boolean;
  isCompressed: boolean;
  accessLog: AccessLog;
  hasMissingPage: boolean;
  speaksHttp2: boolean;
}

export interface SiteRoutesOptions {
  siteDomain: string;
  mesh: Pick<Mesh, "reaches" | "onHostsChange">;
  logger: Pick<Logger, "error">;
}

export class SiteRoutes implements AsyncDisposable {
  readonly #db: Database;
  readonly #siteDomain: string;
  readonly #mesh: SiteRoutesOptions["mesh"];
  readonly #sites = new Map<string, ServedRoute>();
  /** Own domains by the project that they lead to. */
  #domains = new Map<string, ActiveHostname[]>();
  readonly #changed = new Set<string>();
  #haveDomainsChanged = false;
  readonly #listeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  readonly #reader: ChangeReader;

  private constructor(db: Database, { siteDomain, mesh, logger }: SiteRoutesOptions) {
    this.#db = db;
    this.#mesh = mesh;
    this.#siteDomain = siteDomain.toLowerCase();
    this.#reader = new ChangeReader({
      hasChanged: () => this.#haveDomainsChanged || this.#changed.size > 0,
      read: () => this.#readChanged(),
      failure: "routes of sites could not be read; trying again",
      logger,
    });
    const leave = [
      db.wakes.onProjects((projectId) => this.#note(projectId)),
      db.wakes.on("domains", () => this.#noteDomains()),
      mesh.onHostsChange(() => this.#notify()),
    ];
    this.#unsubscribe = () => leave.forEach((each) => each());
  }

  static async open(db: Database, options: SiteRoutesOptions): Promise<SiteRoutes> {
    const routes = new SiteRoutes(db, options);
    await routes.readAll();
    return routes;
  }

  /** Reads every site anew, as when a host says that it runs elsewhere now. */
  async readAll(): Promise<void> {
    const sites = await listServedSites(this.#db, null);
    this.#sites.clear();
    for (const site of sites) this.#store(site);
    this.#domains = await this.#readDomains();
    this.#notify();
  }

  /** Calls back after each change. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the routes for a gateway that runs on this machine, by hostname. */
  routesOf(machine: string): Map<string, SiteRoute> {
    const routes = new Map<string, SiteRoute>();
    for (const [projectId, served] of this.#sites) {
      const { hostnames, site, hostId, machine: ofSite, hasHsts, isCompressed } = served;
      const isFar = ofSite !== machine;
      const isReached = site !== null && (!isFar || this.#mesh.reaches(machine, hostId, site.address));
      const near = isReached ? site : null;
      const way = near !== null && isFar ? { farHost: hostId } : {};
      const settings = {
        hasHsts,
        isCompressed,
        ...(served.hasMissingPage && { hasMissingPage: true as const }),
        ...(served.speaksHttp2 && { protocol: "h2c" as const }),
      };
      const names = [
        ...hostnames.map((hostname) => ({ hostname, redirectTo: null, isOwnDomain: false })),
        ...(this.#domains.get(projectId) ?? []).map(({ hostname, redirectTo }) => ({
          hostname,
          redirectTo: isOwnSubdomain(redirectTo, this.#siteDomain) ? (hostnames[0] ?? null) : redirectTo,
          isOwnDomain: true,
        })),
      ];
      for (const { hostname, redirectTo, isOwnDomain } of names)
        routes.set(hostname, { hostname, projectId, near, ...way, redirectTo, isOwnDomain, ...settings });
    }
    return routes;
  }

  /** Returns how visits to the site are logged; asked for each visit. */
  accessLogOf(projectId: string): AccessLog {
    return this.#sites.get(projectId)?.accessLog ?? "off";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    await this.#reader[Symbol.asyncDispose]();
  }

  #note(projectId: string): void {
    this.#changed.add(projectId);
    this.#reader.wake();
  }

  #noteDomains(): void {
    this.#haveDomainsChanged = true;
    this.#reader.wake();
  }

  async #readChanged(): Promise<void> {
    if (this.#haveDomainsChanged) await this.#readChangedDomains();
    else await this.#readChangedSites();
    this.#notify();
  }

  async #readChangedDomains(): Promise<void> {
    this.#haveDomainsChanged = false;
    try {
      this.#domains = await this.#readDomains();
    } catch (error) {
      this.#haveDomainsChanged = true;
      throw error;
    }
  }

  async #readChangedSites(): Promise<void> {
    const projectIds = [...this.#changed].slice(0, readAtOnce);
    for (const projectId of projectIds) this.#changed.delete(projectId);
    try {
      const found = new Map(
        (await listServedSites(this.#db, projectIds)).map((site) => [site.projectId, site]),
      );
      for (const projectId of projectIds) this.#sites.delete(projectId);
      for (const site of found.values()) this.#store(site);
    } catch (error) {
      for (const projectId of projectIds) this.#changed.add(projectId);
      throw error;
    }
  }

  async #readDomains(): Promise<Map<string, ActiveHostname[]>> {
    return Map.groupBy(await listActiveHostnames(this.#db), ({ projectId }) => projectId);
  }

  #store(site: ServedSite): void {
    const { projectId, subdomain, observed, hostId, machine, settings } = site;
    const { maintenance, hsts, compression, accessLog, protocol } = settings;
    // In maintenance the pages server answers, which has the page.
    const isCarried = !maintenance && site.run === "on" && mayHaveRun(site, observed);
    const domains = new Set([this.#siteDomain, "localhost"]);
    this.#sites.set(projectId, {
      hostnames: [...domains].map((domain) => `${subdomain}.${domain}`),
      site: isCarried ? (observed?.site ?? null) : null,
      hostId,
      machine,
      hasHsts: hsts,
      isCompressed: compression,
      accessLog,
      hasMissingPage: site.hasMissingPage,
      speaksHttp2: protocol === "h2c",
    });
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
