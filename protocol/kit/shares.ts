/**
 * Counts slots that are taken at once, so that neither all takers together nor one among them have more than
 * their share. Nobody waits: who finds no slot is refused.
 */

export interface ShareBounds {
  inAll: number;
  perKey: number;
}

export class Shares {
  readonly #bounds: ShareBounds;
  readonly #byKey = new Map<string, number>();
  #taken = 0;

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds;
  }

  /** How many slots are taken, in all. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a slot; undefined when there is none. The function that it returns gives the slot back, once. A taker
   * with the key null counts only in all.
   */
  take(key: string | null): (() => void) | undefined {
    const own = key === null ? 0 : (this.#byKey.get(key) ?? 0);
    if (this.#taken >= this.#bounds.inAll || own >= this.#bounds.perKey) return undefined;
    this.#taken += 1;
    if (key !== null) this.#byKey.set(key, own + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
      if (key !== null) this.#leave(key);
    };
  }

  #leave(key: string): void {
    const left = (this.#byKey.get(key) ?? 1) - 1;
    if (left > 0) this.#byKey.set(key, left);
    else this.#byKey.delete(key);
  }
}
