/** Holds what was counted of one site in one window since it was last handed over. */

import { TopValues, VisitSums, type VisitDimension, type VisitTops } from "@tijolo/protocol";
import type { UserAgent } from "./user-agents.ts";
import type { Visit } from "./visit.ts";
import { methodOf, pathOf, referrerOf, statusOf } from "./visit-values.ts";

/** Bytes of counts without any value or visitor, roughly. */
const emptyBytes = 2_048;

/** What the counter found out about who made a request. */
export interface VisitMaker {
  agent: UserAgent;
  /** Hash of the visitor; null for a bot, and when the address says nothing. */
  visitor: number | null;
  country: string | undefined;
}

export class SiteCounts {
  readonly projectId: string;
  /** Start of the window, in seconds since 1970. */
  readonly at: number;
  readonly sums = new VisitSums();
  readonly tops: VisitTops = new Map();
  /** Milliseconds since 1970 of the newest request. */
  lastAt = 0;
  /** User agents that were parsed for this site. */
  parsedAgents = 0;

  constructor(projectId: string, at: number) {
    this.projectId = projectId;
    this.at = at;
  }

  add(visit: Visit, { agent, visitor, country }: VisitMaker): void {
    const { sums } = this;
    const bytes = Number.isFinite(visit.bytes) ? Math.max(0, Math.round(visit.bytes)) : 0;
    this.lastAt = visit.at;
    sums.requests += 1;
    sums.bytes += bytes;
    if (visit.status >= 500) sums.errors += 1;
    if (visit.status !== 101) sums.latency.add(visit.durationMs);
    const count = (dimension: VisitDimension, value: string | null | undefined) => {
      if (value !== null && value !== undefined) this.#topOf(dimension).count(value, bytes, visitor);
    };
    count("statuses", statusOf(visit.status));
    count("methods", methodOf(visit.method));
    if (agent.kind === "bot") {
      sums.botRequests += 1;
      return count("bots", agent.name);
    }
    if (visitor !== null) sums.visitors.add(visitor);
    count("paths", pathOf(visit.path));
    count("referrers", referrerOf(visit.referrer, visit.host));
    count("countries", country);
    count("devices", agent.device);
    count("browsers", agent.browser);
    count("systems", agent.system);
  }

  /** Returns the bytes that the counts take in memory, roughly. */
  sizeBytes(): number {
    let bytes = emptyBytes + this.sums.visitors.sizeBytes;
    for (const top of this.tops.values()) bytes += top.sizeBytes;
    return bytes;
  }

  #topOf(dimension: VisitDimension): TopValues {
    const known = this.tops.get(dimension);
    if (known !== undefined) return known;
    const top = new TopValues();
    this.tops.set(dimension, top);
    return top;
  }
}
