/** The claims of this agent, in memory and on disk, with the traffic and the account mark of each. */

import type { Logger } from "pino";
import { readClaims, removeClaim, writeClaim, type Claim, type Traffic } from "./claim-file.ts";
import { readAllTraffic } from "./namespace.ts";

export class ClaimRegister {
  readonly #directory: string;
  readonly #claims: Map<string, Claim>;
  /** As noted on disk last. */
  readonly #saved = new WeakMap<Claim, Traffic>();

  private constructor(directory: string, claims: readonly Claim[]) {
    this.#directory = directory;
    this.#claims = new Map(claims.map((claim) => [claim.projectId, claim]));
    for (const claim of claims) this.#saved.set(claim, totalTraffic(claim));
  }

  /** With the claims that an earlier agent wrote down. */
  static async open(directory: string, logger: Pick<Logger, "warn">): Promise<ClaimRegister> {
    const { claims, unreadable } = await readClaims(directory);
    if (unreadable.length > 0)
      logger.warn({ files: unreadable }, "claims of network namespaces could not be read");
    return new ClaimRegister(directory, claims);
  }

  find(projectId: string): Claim | undefined {
    return this.#claims.get(projectId);
  }

  all(): Claim[] {
    return [...this.#claims.values()];
  }

  /** Stands in memory at once, on disk when it resolves. */
  async put(claim: Claim): Promise<void> {
    this.#claims.set(claim.projectId, claim);
    const traffic = totalTraffic(claim);
    await writeClaim(this.#directory, claim);
    this.#saved.set(claim, traffic);
  }

  async remove(projectId: string): Promise<void> {
    await removeClaim(this.#directory, projectId);
    this.#claims.delete(projectId);
  }

  clear(): void {
    this.#claims.clear();
  }

  /** Marks are this host's own business: an account keeps its mark for as long as it has a claim here. */
  markOf(accountId: string): number {
    const known = this.all().find((claim) => claim.accountId === accountId);
    if (known !== undefined) return known.accountMark;
    const marks = new Set(this.all().map((claim) => claim.accountMark));
    let mark = 1;
    while (marks.has(mark)) mark++;
    return mark;
  }

  /** Bytes of every claim, by project id. */
  countAll(): Map<string, Traffic> {
    const counters = readAllTraffic();
    return new Map(
      this.all().map((claim) => {
        claim.latestTraffic = counters.get(claim.namespace.interface) ?? claim.latestTraffic;
        return [claim.projectId, totalTraffic(claim)];
      }),
    );
  }

  /** Claims that have carried something since that was noted on disk. Counts anew. */
  withUnsavedTraffic(): Claim[] {
    this.countAll();
    return this.all().filter((claim) => {
      const [traffic, saved] = [totalTraffic(claim), this.#saved.get(claim)];
      return saved?.receivedBytes !== traffic.receivedBytes || saved.sentBytes !== traffic.sentBytes;
    });
  }

  /** Notes on disk how much has been counted, for the time after the interface. */
  async saveTraffic(claim: Claim): Promise<void> {
    if (this.#claims.get(claim.projectId) !== claim) return;
    const traffic = totalTraffic(claim);
    await writeClaim(this.#directory, claim);
    this.#saved.set(claim, traffic);
  }
}

/** As last counted. */
export function totalTraffic({ earlierTraffic, latestTraffic }: Claim): Traffic {
  return {
    receivedBytes: earlierTraffic.receivedBytes + latestTraffic.receivedBytes,
    sentBytes: earlierTraffic.sentBytes + latestTraffic.sentBytes,
  };
}
