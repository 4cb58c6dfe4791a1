/** The claims of this agent, in memory and on disk, with the traffic and the account mark of each. */

import type { Logger } from "pino";
import { readClaims, removeClaim, writeClaim, type Claim, type Traffic } from "./claim-file.ts";
import { findTraffic } from "./namespace.ts";

export class ClaimRegister {
  readonly #directory: string;
  readonly #claims: Map<string, Claim>;

  private constructor(directory: string, claims: readonly Claim[]) {
    this.#directory = directory;
    this.#claims = new Map(claims.map((claim) => [claim.projectId, claim]));
  }

  /** With the claims that an earlier agent wrote down. */
  static async open(directory: string, logger: Pick<Logger, "warn">): Promise<ClaimRegister> {
    const { claims, unreadable } = await readClaims(directory);
    if (unreadable.length > 0) logger.warn({ files: unreadable }, "claims of network namespaces could not be read");
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
    await writeClaim(this.#directory, claim);
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

  /** All bytes of a claim's interfaces, this one and the ones before. */
  async countTraffic(claim: Claim): Promise<Traffic> {
    claim.latestTraffic = (await findTraffic(claim.namespace.interface)) ?? claim.latestTraffic;
    return totalTraffic(claim);
  }

  /** Notes on disk how much has been counted, for the time after the interface. */
  async saveTraffic(claim: Claim): Promise<void> {
    if (this.#claims.get(claim.projectId) !== claim) return;
    await this.countTraffic(claim);
    await writeClaim(this.#directory, claim);
  }
}

/** As last counted. */
export function totalTraffic({ earlierTraffic, latestTraffic }: Claim): Traffic {
  return {
    receivedBytes: earlierTraffic.receivedBytes + latestTraffic.receivedBytes,
    sentBytes: earlierTraffic.sentBytes + latestTraffic.sentBytes,
  };
}
