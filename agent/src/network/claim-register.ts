/** Tracks the claims of this agent, in memory and on disk, with the traffic and the account mark of each. */

import type { Logger } from "pino";
import { readClaims, removeClaim, writeClaim, type Claim, type Traffic } from "./claim-file.ts";
import { readAllTraffic } from "./namespace.ts";

export class ClaimRegister {
  readonly #directory: string;
  readonly #claims: Map<string, Claim>;
  /** Marks of accounts in the rules for projects of other hosts: no other account may get them. */
  readonly #meshMarks = new Map<string, number>();
  /** Traffic as last written to the disk. */
  readonly #saved = new WeakMap<Claim, Traffic>();

  private constructor(directory: string, claims: readonly Claim[]) {
    this.#directory = directory;
    this.#claims = new Map(claims.map((claim) => [claim.projectId, claim]));
    for (const claim of claims) this.#saved.set(claim, totalTraffic(claim));
  }

  /** Opens the register with the claims that an earlier agent wrote down. */
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

  /** Adds a claim: in memory at once, on disk when it resolves. */
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

  /**
   * Returns the account's mark. Marks are local to this host: an account keeps its mark for as long as it has
   * a claim or a mark of the mesh here.
   */
  markOf(accountId: string): number {
    const claimed = this.all().find((claim) => claim.accountId === accountId)?.accountMark;
    const known = claimed ?? this.#meshMarks.get(accountId);
    if (known !== undefined) return known;
    const marks = new Set([...this.all().map((claim) => claim.accountMark), ...this.#meshMarks.values()]);
    let mark = 1;
    while (marks.has(mark)) mark++;
    return mark;
  }

  /**
   * Returns the marks of those of these accounts that have a claim here, and keeps them for these accounts
   * until the next call.
   */
  takeMeshMarks(accountIds: Iterable<string>): ReadonlyMap<string, number> {
    const wanted = new Set(accountIds);
    this.#meshMarks.clear();
    for (const { accountId, accountMark } of this.#claims.values())
      if (wanted.has(accountId)) this.#meshMarks.set(accountId, accountMark);
    return new Map(this.#meshMarks);
  }

  /** Returns the bytes of every claim, by project id. */
  countAll(): Map<string, Traffic> {
    const counters = readAllTraffic();
    return new Map(
      this.all().map((claim) => {
        claim.latestTraffic = counters.get(claim.namespace.interface) ?? claim.latestTraffic;
        return [claim.projectId, totalTraffic(claim)];
      }),
    );
  }

  /** Returns the claims with traffic since it was last written to the disk. Counts anew. */
  withUnsavedTraffic(): Claim[] {
    this.countAll();
    return this.all().filter((claim) => {
      const [traffic, saved] = [totalTraffic(claim), this.#saved.get(claim)];
      return saved?.receivedBytes !== traffic.receivedBytes || saved.sentBytes !== traffic.sentBytes;
    });
  }

  /** Writes to the disk how much has been counted, for the time after the interface is gone. */
  async saveTraffic(claim: Claim): Promise<void> {
    if (this.#claims.get(claim.projectId) !== claim) return;
    const traffic = totalTraffic(claim);
    await writeClaim(this.#directory, claim);
    this.#saved.set(claim, traffic);
  }
}

/** Returns the total of the last count. */
export function totalTraffic({ earlierTraffic, latestTraffic }: Claim): Traffic {
  return {
    receivedBytes: earlierTraffic.receivedBytes + latestTraffic.receivedBytes,
    sentBytes: earlierTraffic.sentBytes + latestTraffic.sentBytes,
  };
}
