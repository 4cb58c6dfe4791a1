/**
 * Counts places that strangers take, so that neither all of them nor one network among them can take more
 * than its share.
 */

export interface PlaceBounds {
  inAll: number;
  perNetwork: number;
}

export class NetworkPlaces {
  readonly #bounds: PlaceBounds;
  readonly #byNetwork = new Map<string, number>();
  #taken = 0;

  constructor(bounds: PlaceBounds) {
    this.#bounds = bounds;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a place; undefined when there is none. The function that it returns gives the place back, once.
   * `network` is as `networkOf` names it; null is a trusted proxy, which speaks for many and has no share of
   * its own.
   */
  take(network: string | null): (() => void) | undefined {
    const own = network === null ? 0 : (this.#byNetwork.get(network) ?? 0);
    if (this.#taken >= this.#bounds.inAll || own >= this.#bounds.perNetwork) return undefined;
    this.#taken += 1;
    if (network !== null) this.#byNetwork.set(network, own + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
      if (network !== null) this.#leave(network);
    };
  }

  #leave(network: string): void {
    const left = (this.#byNetwork.get(network) ?? 1) - 1;
    if (left > 0) this.#byNetwork.set(network, left);
    else this.#byNetwork.delete(network);
  }
}
