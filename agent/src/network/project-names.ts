/**
 * Keeps the resolver's zone in step with the claims and the running projects, and keeps the resolver itself
 * running.
 */

import { internalHostOf } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { ServiceGroup } from "../host/cgroups/service-group.ts";
import type { Claim } from "./claim-file.ts";
import type { DistantProject } from "./mesh-entries.ts";
import { deleteNamespaces, hasNamespace, makeNamespaces, type Namespace } from "./namespace.ts";
import { findProcessRecord, removeProcessRecord } from "./resolver/process-record.ts";
import { ResolverProcess } from "./resolver/resolver-process.ts";
import { readZone, writeZone } from "./resolver/zone-file.ts";

export interface ProjectNamesOptions {
  directory: string;
  instanceName: string;
  /** Namespace of the resolver: kept while any project has a network. */
  namespace: Namespace;
  /** Returns all claims on this host as they are now. */
  claims: () => readonly Claim[];
  /** Returns the projects of other hosts that run there. */
  distant: () => readonly DistantProject[];
  /** Returns the host's resolvers as they are now. */
  upstreams: () => readonly string[];
  /** Group of the resolver, see {@link ResolverProcess}. */
  group?: ServiceGroup;
  logger: Pick<Logger, "info" | "warn">;
}

export class ProjectNames {
  readonly #options: ProjectNamesOptions;
  readonly #process: ResolverProcess;
  readonly #running = new Set<string>();
  /** Projects whose name stands for the run that leaves, as the next one is not ready. */
  readonly #leaving = new Set<string>();
  #isClosed = false;
  #scheduled: Promise<void> | null = null;
  #tail: Promise<void> = Promise.resolve();

  constructor(options: ProjectNamesOptions) {
    this.#options = options;
    this.#process = new ResolverProcess(options);
  }

  /** Pid of the process that answers. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Continues with the running projects of an earlier agent, as far as they are among `present`. */
  async prepare(present: readonly Claim[]): Promise<void> {
    const { directory } = this.#options;
    const earlier = await readZone(directory);
    const running = new Set(
      earlier?.projects.filter(({ isRunning }) => isRunning).map(({ address }) => address),
    );
    for (const { projectId, isLeaving, namespace } of present) {
      if (!running.has(namespace.address)) continue;
      this.#running.add(projectId);
      change(this.#leaving, projectId, isLeaving);
    }
    await this.mend();
  }

  /**
   * Makes the resolver's namespace where it is missing, and writes the zone anew, because the host's
   * resolvers may have changed.
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
   * Adds or removes a project's name from here on, with the address of the run that leaves or of the newest.
   * Written in the background; the next write makes up for a failed one.
   */
  setRunning(projectId: string, isRunning: boolean, isOfLeaving = false): void {
    const isKnown =
      this.#running.has(projectId) === isRunning && this.#leaving.has(projectId) === isOfLeaving;
    if (isKnown) return;
    change(this.#running, projectId, isRunning);
    change(this.#leaving, projectId, isOfLeaving);
    this.save().catch((error: unknown) =>
      this.#options.logger.warn({ err: error, projectId }, "the names of projects could not be written"),
    );
  }

  /** Saves the zone. Resolves once the resolver answers by everything that was set at the call. */
  save(): Promise<void> {
    if (this.#scheduled === null) {
      const scheduled = this.#tail.then(() => this.#write());
      this.#scheduled = scheduled;
      this.#tail = scheduled.catch(() => {}); // told to those who asked for it
    }
    return this.#scheduled;
  }

  /** Releases the resolver, which goes on without the agent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#process.close();
    await this.#tail;
  }

  /** Ends the resolver and removes its namespace. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    await this.#tail;
    await this.#process.stop();
    await deleteNamespaces([this.#options.namespace]);
  }

  /**
   * True when the resolver's namespace belongs to this subnet and is complete: the record tells for which
   * subnet it was made, and is written only in a finished one.
   */
  async #hasNamespace(): Promise<boolean> {
    const { directory, namespace } = this.#options;
    return findProcessRecord(directory)?.address === namespace.address && (await hasNamespace(namespace));
  }

  async #write(): Promise<void> {
    this.#scheduled = null;
    const { directory, claims, distant, upstreams } = this.#options;
    const own = claims().map(({ projectId, accountId, isLeaving, namespace: { address } }) => ({
      address,
      accountId,
      name: internalHostOf(projectId),
      isRunning: this.#running.has(projectId) && this.#leaving.has(projectId) === isLeaving,
    }));
    const others = distant().map(({ projectId, accountId, address }) => ({
      address,
      accountId,
      name: internalHostOf(projectId),
      isRunning: true,
    }));
    // A name that both have, as while a project moves, is this host's.
    const projects = [...others, ...own];
    await writeZone(directory, { upstreams: [...upstreams()], projects });
  }
}

function change(set: Set<string>, member: string, isIn: boolean): void {
  if (isIn) set.add(member);
  else set.delete(member);
}
