/**
 * Collects the visits of sites that have them logged, and sends them to the sites' hosts a moment later, a
 * batch at a time. What waits is bounded; the oldest is dropped, and counted.
 */

import { maxAccessLines, type AccessLines, type AccessLog } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { Visit } from "../visits/visit.ts";
import { accessLine } from "./access-line.ts";

/** Lines of a site, and of all sites, that wait. */
const maxWaiting = { ofSite: 1_000, ofAll: 20_000 };

interface Waiting {
  lines: { at: string; text: string }[];
  dropped: number;
}

export interface AccessQueueOptions {
  /** Returns how visits to the site are logged; asked for each visit. */
  modeOf: (projectId: string) => AccessLog;
  /** Finds the host of a project; undefined when it is gone. */
  findHost: (projectId: string) => Promise<string | undefined>;
  /** Has lines written. Rejects when that is not certain: the same batch is sent again. */
  send: (hostId: string, lines: AccessLines) => Promise<void>;
  /** Returns a name for a batch, never the same twice. */
  createBatchId: () => string;
  now: () => number;
  logger: Pick<Logger, "debug">;
}

export class AccessQueue {
  readonly #options: AccessQueueOptions;
  readonly #sites = new Map<string, Waiting>();
  #count = 0;
  /** By host what was sent and is not known to be written. */
  readonly #unsure = new Map<string, AccessLines>();
  readonly #sending = new Map<string, Promise<void>>();

  constructor(options: AccessQueueOptions) {
    this.#options = options;
  }

  note(visit: Visit): void {
    const mode = this.#options.modeOf(visit.projectId);
    if (mode === "off") return;
    const site = this.#siteOf(visit.projectId);
    if (site.lines.length >= maxWaiting.ofSite || this.#count >= maxWaiting.ofAll) {
      site.dropped += 1;
      if (site.lines.shift() === undefined) return;
      this.#count -= 1;
    }
    site.lines.push({ at: this.#timeOf(visit), text: accessLine(visit, mode) });
    this.#count += 1;
  }

  /** Begins to send what waits, to each host that is not being sent to; a silent one holds no other up. */
  async begin(): Promise<void> {
    for (const [hostId, projectIds] of await this.#byHost()) {
      if (this.#sending.has(hostId)) continue;
      const sending = this.#sendTo(hostId, projectIds)
        .catch((error: unknown) => this.#options.logger.debug({ err: error, hostId }, "visits wait"))
        .finally(() => this.#sending.delete(hostId));
      this.#sending.set(hostId, sending);
    }
  }

  /** Sends what waits, and resolves once each host has taken it or has not. */
  async flush(): Promise<void> {
    await Promise.all(this.#sending.values());
    await this.begin();
    await Promise.all(this.#sending.values());
  }

  #siteOf(projectId: string): Waiting {
    const known = this.#sites.get(projectId);
    if (known !== undefined) return known;
    const site = { lines: [], dropped: 0 };
    this.#sites.set(projectId, site);
    return site;
  }

  /** A gateway's clock is believed as long as it tells a time. */
  #timeOf({ at }: Visit): string {
    const date = new Date(at);
    return (Number.isNaN(date.getTime()) ? new Date(this.#options.now()) : date).toISOString();
  }

  /** Returns the projects with lines that wait, by host; lines of a project that is gone are forgotten. */
  async #byHost(): Promise<Map<string, string[]>> {
    const hosts = new Map<string, string[]>([...this.#unsure.keys()].map((hostId) => [hostId, []]));
    for (const projectId of this.#sites.keys()) {
      const hostId = await this.#options.findHost(projectId);
      if (hostId === undefined) this.#take(projectId, Infinity);
      else hosts.set(hostId, [...(hosts.get(hostId) ?? []), projectId]);
    }
    return hosts;
  }

  async #sendTo(hostId: string, projectIds: string[]): Promise<void> {
    const left = [...projectIds];
    for (;;) {
      const batch = this.#unsure.get(hostId) ?? this.#batchOf(left);
      if (batch.sites.length === 0) return;
      this.#unsure.set(hostId, batch);
      await this.#options.send(hostId, batch);
      this.#unsure.delete(hostId);
    }
  }

  /** Takes as many lines as a batch may have, and the projects that were emptied off the list. */
  #batchOf(projectIds: string[]): AccessLines {
    const sites: AccessLines["sites"] = [];
    let room = maxAccessLines;
    while (room > 0) {
      const [projectId] = projectIds;
      if (projectId === undefined) break;
      const { lines, dropped } = this.#take(projectId, room);
      room -= Math.max(1, lines.length); // a batch has no more sites than lines
      if (room > 0 || !this.#sites.has(projectId)) projectIds.shift();
      sites.push({ projectId, lines, droppedLines: dropped });
    }
    return { batch: this.#options.createBatchId(), sites };
  }

  #take(projectId: string, most: number): Waiting {
    const site = this.#sites.get(projectId) ?? { lines: [], dropped: 0 };
    const taken = { lines: site.lines.splice(0, most), dropped: site.dropped };
    site.dropped = 0;
    this.#count -= taken.lines.length;
    if (site.lines.length === 0) this.#sites.delete(projectId);
    return taken;
  }
}
