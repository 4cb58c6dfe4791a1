/** Which layers are waited for, and when each was asked for last. */

export class LayerDemand {
  readonly #nowMs: () => number;
  readonly #askedForAtMs = new Map<string, number>();
  /** How many callers wait for a stack with the layer. */
  readonly #waitedFor = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** How many layers it knows of. */
  get size(): number {
    return this.#askedForAtMs.size;
  }

  /** Until the answer is called, somebody waits for them. */
  hold(digests: readonly string[]): () => void {
    for (const digest of digests) this.#count(digest, 1);
    return () => {
      for (const digest of digests) this.#count(digest, -1);
    };
  }

  /** Asked for, without a wait. */
  note(digests: readonly string[]): void {
    this.hold(digests)();
  }

  isWaitedFor(digest: string): boolean {
    return this.#waitedFor.has(digest);
  }

  /** Waited for, or asked for since. */
  isWanted(digest: string, sinceMs: number): boolean {
    return this.isWaitedFor(digest) || (this.#askedForAtMs.get(digest) ?? -Infinity) > sinceMs;
  }

  listWanted(sinceMs: number): string[] {
    return [...this.#askedForAtMs.keys()].filter((digest) => this.isWanted(digest, sinceMs));
  }

  /** All that nobody has asked for since. */
  forget(sinceMs: number): void {
    for (const digest of this.#askedForAtMs.keys())
      if (!this.isWanted(digest, sinceMs)) this.#askedForAtMs.delete(digest);
  }

  #count(digest: string, change: number): void {
    const waiters = (this.#waitedFor.get(digest) ?? 0) + change;
    if (waiters > 0) this.#waitedFor.set(digest, waiters);
    else this.#waitedFor.delete(digest);
    this.#askedForAtMs.set(digest, this.#nowMs());
  }
}
