/**
 * Counts the requests to sites in memory, and hands over every few seconds what came since. Of a visitor it
 * holds a hash alone. Its memory is bounded: beyond the bound the sites that were idle longest are handed over
 * early.
 */

import { visitWindowSeconds } from "@tijolo/protocol";
import { parseAddress } from "./address.ts";
import { agentLength, UserAgents } from "./user-agents.ts";
import type { Countries } from "./countries.ts";
import { SiteCounts } from "./site-counts.ts";
import type { Visit } from "./visit.ts";
import type { VisitorHash } from "./visitor-hash.ts";

/** Bytes of counts that are held; what is cached of agents and known of countries comes on top. */
const maxBytes = 32 * 2 ** 20;
/** Counted requests between two looks at the memory. */
const requestsPerLook = 1_024;
/** Share of the sites that is handed over when the bound is reached. */
const earlyShare = 1 / 8;
/** User agents of a site that are parsed between two takings; later new ones are not told apart. */
const parsedPerSite = 100;

export interface VisitCounterOptions {
  /** Returns what hashes visitors at this moment: that of the day. */
  visitors: () => VisitorHash;
  countries: Countries;
  /** Receives the counts that do not wait for the next {@link VisitCounter.take}. */
  onEarly: (counts: SiteCounts[]) => void;
  /** Changes of {@link maxBytes}. */
  maxBytes?: number;
}

export class VisitCounter {
  readonly #options: VisitCounterOptions;
  readonly #maxBytes: number;
  readonly #agents = new UserAgents();
  /** Counts by project; of each as many windows as there were requests for, which is one or two. */
  #sites = new Map<string, SiteCounts[]>();
  #untilLook = requestsPerLook;

  constructor(options: VisitCounterOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? maxBytes;
  }

  count(visit: Visit): void {
    const counts = this.#countsOf(visit);
    const userAgent = visit.userAgent.slice(0, agentLength);
    const agent = this.#agents.find(userAgent, () => counts.parsedAgents++ < parsedPerSite);
    const address = agent.kind === "bot" ? undefined : parseAddress(visit.address);
    const { projectId } = visit;
    counts.add(visit, {
      agent,
      visitor: address === undefined ? null : this.#options.visitors().of({ projectId, address, userAgent }),
      country: address === undefined ? undefined : this.#options.countries.find(address),
    });
    this.#untilLook -= 1;
    if (this.#untilLook <= 0) this.#look();
  }

  /** Returns what was counted since the last time, and forgets it. */
  take(): SiteCounts[] {
    const taken = [...this.#sites.values()].flat();
    this.#sites = new Map();
    return taken;
  }

  #countsOf({ projectId, at }: Visit): SiteCounts {
    const seconds = Number.isFinite(at) ? Math.max(0, at) / 1000 : 0;
    const start = Math.floor(seconds / visitWindowSeconds) * visitWindowSeconds;
    const windows = this.#sites.get(projectId);
    const known = windows?.find((counts) => counts.at === start);
    if (known !== undefined) return known;
    const counts = new SiteCounts(projectId, start);
    if (windows === undefined) this.#sites.set(projectId, [counts]);
    else windows.push(counts);
    return counts;
  }

  /** Hands counts over early when they take more memory than they may. */
  #look(): void {
    this.#untilLook = requestsPerLook;
    const all = [...this.#sites.values()].flat();
    let sizeBytes = 0;
    for (const counts of all) sizeBytes += counts.sizeBytes();
    if (sizeBytes <= this.#maxBytes) return;
    const idlest = all.toSorted((one, other) => one.lastAt - other.lastAt);
    const early: SiteCounts[] = [];
    for (const counts of idlest.slice(0, Math.ceil(all.length * earlyShare))) {
      early.push(counts);
      const left = this.#sites.get(counts.projectId)?.filter((other) => other !== counts) ?? [];
      if (left.length === 0) this.#sites.delete(counts.projectId);
      else this.#sites.set(counts.projectId, left);
    }
    this.#options.onEarly(early);
  }
}
