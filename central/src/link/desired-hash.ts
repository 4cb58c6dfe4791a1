/** Computes hashes of assignments, as both sides of the link do, and tracks the set that an agent holds. */

import { createHash } from "node:crypto";
import { canonicalAssignment, exchangeHash, sumOfHashes, type AssignmentOutline } from "@tijolo/protocol";

/** Hashes by project id. */
export type AssignmentHashes = ReadonlyMap<string, string>;

export function hashAssignments(outlines: readonly AssignmentOutline[]): AssignmentHashes {
  return new Map(
    outlines.map((outline) => [
      outline.projectId,
      createHash("sha256").update(canonicalAssignment(outline)).digest("hex"),
    ]),
  );
}

/**
 * Holds the assignments that were sent to an agent, by their hashes. It also knows the set before the last
 * update: that update may have been lost with its connection.
 */
export class SentSet {
  readonly #hashes: Map<string, string>;
  #setHash: string;
  #setHashBefore: string | null = null;
  /** Hash that each assignment had before the last update; null for one that was not in the set. */
  readonly #before = new Map<string, string | null>();

  constructor(hashes: AssignmentHashes = new Map()) {
    this.#hashes = new Map(hashes);
    this.#setHash = sumOfHashes(hashes.values());
  }

  get setHash(): string {
    return this.#setHash;
  }

  get projectIds(): Iterable<string> {
    return this.#hashes.keys();
  }

  find(projectId: string): string | undefined {
    return this.#hashes.get(projectId);
  }

  /** Begins an update: what the set is now becomes the set before. */
  beginUpdate(): void {
    this.#setHashBefore = this.#setHash;
    this.#before.clear();
  }

  set(projectId: string, hash: string): void {
    this.#exchange(projectId, hash);
    this.#hashes.set(projectId, hash);
  }

  /** Removes a project; returns false when it was not in the set. */
  delete(projectId: string): boolean {
    this.#exchange(projectId, null);
    return this.#hashes.delete(projectId);
  }

  /** Returns a copy of this set, or of the set before the last update, whichever has this hash. */
  copyWith(setHash: string): SentSet | undefined {
    if (setHash === this.#setHash) return new SentSet(this.#hashes);
    if (setHash !== this.#setHashBefore) return undefined;
    const hashes = new Map(this.#hashes);
    for (const [projectId, hash] of this.#before) {
      if (hash === null) hashes.delete(projectId);
      else hashes.set(projectId, hash);
    }
    return new SentSet(hashes);
  }

  #exchange(projectId: string, after: string | null): void {
    const before = this.#hashes.get(projectId) ?? null;
    this.#setHash = exchangeHash(this.#setHash, before, after);
    if (!this.#before.has(projectId)) this.#before.set(projectId, before);
  }
}
