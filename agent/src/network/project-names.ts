/**
 * What projects may resolve: keeps the resolver's zone as the claims and the running projects are, and the
 * resolver itself running.
 */

import { internalHostOf } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { ServiceGroup } from "../host/cgroups/service-group.ts";
import type { Claim } from "./claim-file.ts";
import type { FirewallEntry } from "./firewall-rules.ts";
import { deleteNamespaces, hasNamespace, makeNamespaces, type Namespace } from "./namespace.ts";
import { findProcessRecord, removeProcessRecord } from "./resolver/process-record.ts";
import { ResolverProcess } from "./resolver/resolver-process.ts";
import { readZone, writeZone } from "./resolver/zone-file.ts";

export interface ProjectNamesOptions {
  directory: string;
  instanceName: string;
  /** The resolver's own: kept while any project has a network. */
  namespace: Namespace;
  /** Everybody on this host, as they are now. */
  claims: () => readonly Claim[];
  /** The host's resolvers, as they are now. */
  upstreams: () => readonly string[];
  /** The resolver's, see {@link ResolverProcess}. */
  group?: ServiceGroup;
  logger: Pick<Logger, "info" | "warn">;
}

export class ProjectNames {
  readonly #options: ProjectNamesOptions;
  readonly #process: ResolverProcess;
  readonly #running = new Set<string>();
  #isClosed = false;
  #scheduled: Promise<void> | null = null;
  #tail: Promise<void> = Promise.resolve();

  constructor(options: ProjectNamesOptions) {
    this.#options = options;
    this.#process = new ResolverProcess(options);
  }

  /** The resolver's place in the firewall. */
  get entry(): FirewallEntry {
    const { interface: link, address } = this.#options.namespace;
    return { interface: link, address, accountMark: null };
  }

  /** Pid of the process that answers. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Goes on with the running projects of an earlier agent, as far as they are among `present`. */
  async prepare(present: readonly Claim[]): Promise<void> {
    const { directory } = this.#options;
    const earlier = await readZone(directory);
    const names = new Set(earlier?.projects.filter(({ isRunning }) => isRunning).map(({ name }) => name));
    for (const { projectId } of present)
      if (names.has(internalHostOf(projectId))) this.#running.add(projectId);
    await this.mend();
  }

  /**
   * Makes the resolver's namespace where it is missing, and writes the zone anew: the host's resolvers may be
   * others now.
   */
  async mend(): Promise<void> {
    const { directory, namespace } = this.#options;
    if (this.#isClosed) return;
    if (!(await this.#hasNamespace())) {
      // Whoever finds a half made one finds no record for it. A resolver that served in the earlier one ends
      // by itself.
      removeProcessRecord(directory);
      await deleteNamespaces([namespace]);
      await makeNamespaces([namespace]);
    }
    await this.save();
  }

  /** Resolves once the resolver answers. */
  keep(): Promise<void> {
    return this.#process.keep();
  }

  /**
   * A project's name exists from here on, or does not. Written in the background; a failed write is made up
   * for by the next.
   */
  setRunning(projectId: string, isRunning: boolean): void {
    if (this.#running.has(projectId) === isRunning) return;
    if (isRunning) this.#running.add(projectId);
    else this.#running.delete(projectId);
    this.save().catch((error: unknown) =>
      this.#options.logger.warn({ err: error, projectId }, "the names of projects could not be written"),
    );
  }

  /** Resolves once the resolver answers by everything that was so at the call. */
  save(): Promise<void> {
    if (this.#scheduled === null) {
      const scheduled = this.#tail.then(() => this.#write());
      this.#scheduled = scheduled;
      this.#tail = scheduled.catch(() => {}); // told to those who asked for it
    }
    return this.#scheduled;
  }

  /** Lets go: the resolver goes on without the agent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#process.close();
    await this.#tail;
  }

  /** Ends the resolver and takes its namespace away. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    await this.#tail;
    await this.#process.stop();
    await deleteNamespaces([this.#options.namespace]);
  }

  /** Of this subnet, and whole: the record tells for which it was made, and is written in a finished one. */
  async #hasNamespace(): Promise<boolean> {
    const { directory, namespace } = this.#options;
    return findProcessRecord(directory)?.address === namespace.address && (await hasNamespace(namespace));
  }

  async #write(): Promise<void> {
    this.#scheduled = null;
    const { directory, claims, upstreams } = this.#options;
    const projects = claims().map(({ projectId, accountId, namespace: { address } }) => ({
      address,
      accountId,
      name: internalHostOf(projectId),
      isRunning: this.#running.has(projectId),
    }));
    await writeZone(directory, { upstreams: [...upstreams()], projects });
  }
}
