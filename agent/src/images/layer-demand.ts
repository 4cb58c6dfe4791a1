/** Records which layers are waited for, and when each was last requested. */

export class LayerDemand {
  readonly #nowMs: () => number;
  readonly #askedForAtMs = new Map<string, number>();
  /** Number of callers that wait for a stack with the layer, by digest. */
  readonly #waitedFor = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Number of layers it knows. */
  get size(): number {
    return this.#askedForAtMs.size;
  }

  /** Counts a waiting caller of the layers until the returned function is called. */
  hold(digests: readonly string[]): () => void {
    for (const digest of digests) this.#count(digest, 1);
    return () => {
      for (const digest of digests) this.#count(digest, -1);
    };
  }

  /** Records a request for the layers without a wait. */
  note(digests: readonly string[]): void {
    this.hold(digests)();
  }

  isWaitedFor(digest: string): boolean {
    return this.#waitedFor.has(digest);
  }

  /** True when the layer is waited for, or was requested since `sinceMs`. */
  isWanted(digest: string, sinceMs: number): boolean {
    return this.isWaitedFor(digest) || (this.#askedForAtMs.get(digest) ?? -Infinity) > sinceMs;
  }

  listWanted(sinceMs: number): string[] {
    return [...this.#askedForAtMs.keys()].filter((digest) => this.isWanted(digest, sinceMs));
  }

  /** Forgets all layers that nobody has requested since `sinceMs`. */
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
