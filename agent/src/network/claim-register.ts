/** Tracks the claims of this agent, in memory and on disk, with the traffic and the account mark of each. */

import type { Logger } from "pino";
import {
  claimName,
  moveClaim,
  readClaims,
  removeClaim,
  writeClaim,
  type Claim,
  type Traffic,
} from "./claim-file.ts";
import { readAllTraffic } from "./namespace.ts";

export class ClaimRegister {
  readonly #directory: string;
  /** By {@link claimName}. */
  readonly #claims: Map<string, Claim>;
  /** Marks of accounts in the rules for projects of other hosts: no other account may get them. */
  readonly #meshMarks = new Map<string, number>();
  /** Traffic as last written to the disk. */
  readonly #saved = new WeakMap<Claim, Traffic>();

  private constructor(directory: string, claims: readonly Claim[]) {
    this.#directory = directory;
    this.#claims = new Map(claims.map((claim) => [claimName(claim), claim]));
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
    return this.#claims.get(claimName({ projectId, isLeaving: false }));
  }

  /** Returns the claim of the project's run that leaves. */
  findLeaving(projectId: string): Claim | undefined {
    return this.#claims.get(claimName({ projectId, isLeaving: true }));
  }

  all(): Claim[] {
    return [...this.#claims.values()];
  }

  /** Adds a claim: in memory at once, on disk when it resolves. */
  async put(claim: Claim): Promise<void> {
    this.#claims.set(claimName(claim), claim);
    const traffic = totalTraffic(claim);
    await writeClaim(this.#directory, claim);
    this.#saved.set(claim, traffic);
  }

  async remove(claim: Claim): Promise<void> {
    await removeClaim(this.#directory, claim);
    this.#claims.delete(claimName(claim));
  }

  /** Makes the project's claim that of a run that leaves, or the other way round; the other one must not be. */
  async move(claim: Claim): Promise<void> {
    const moved = await moveClaim(this.#directory, claim);
    this.#claims.delete(claimName(claim));
    this.#claims.set(claimName(moved), moved);
    this.#saved.set(moved, this.#saved.get(claim) ?? totalTraffic(moved));
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

  /** Returns the bytes of all claims of each project, by its id. */
  countAll(): Map<string, Traffic> {
    const counters = readAllTraffic();
    const counted = new Map<string, Traffic>();
    for (const claim of this.#claims.values()) {
      claim.latestTraffic = counters.get(claim.namespace.interface) ?? claim.latestTraffic;
      counted.set(claim.projectId, sum(totalTraffic(claim), counted.get(claim.projectId)));
    }
    return counted;
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
    if (this.#claims.get(claimName(claim)) !== claim) return;
    const traffic = totalTraffic(claim);
    await writeClaim(this.#directory, claim);
    this.#saved.set(claim, traffic);
  }
}

/** Returns the total of the last count. */
export function totalTraffic({ earlierTraffic, latestTraffic }: Claim): Traffic {
  return sum(earlierTraffic, latestTraffic);
}

export function sum(one: Traffic, other: Traffic = { receivedBytes: 0, sentBytes: 0 }): Traffic {
  return {
    receivedBytes: one.receivedBytes + other.receivedBytes,
    sentBytes: one.sentBytes + other.sentBytes,
  };
}
