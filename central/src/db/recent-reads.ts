/**
 * What requests ask for over and over, kept until it changes; so an answer is never older than the last
 * change that was acknowledged.
 */

/** So many answers are kept at most; then the oldest goes for each new one. */
const maxKept = 50_000;

interface Reading {
  found: Promise<object | undefined>;
  /** What it reads was changed meanwhile. */
  isOld: boolean;
}

/** Of one database, of which this process is the only writer. */
export class RecentReads {
  readonly #kept = new Map<string, object>();
  /** As the open transaction leaves it. */
  readonly #staged = new Map<string, object>();
  readonly #readings = new Map<string, Reading>();
  /** So often was anything forgotten or dropped. */
  #changes = 0;

  /**
   * Answers what was read under `key` since it last changed, or reads it. What is missing is not remembered.
   */
  find<Found extends object>(
    key: string,
    read: () => Promise<Found | undefined>,
  ): Promise<Readonly<Found> | undefined> {
    const kept = this.#kept.get(key) as Found | undefined;
    if (kept !== undefined) return Promise.resolve(kept);
    const reading = this.#readings.get(key) ?? this.#begin(key, read);
    return reading.found as Promise<Found | undefined>;
  }

  /**
   * {@link find} for the inside of a transaction: what is kept is true there too, for what the transaction
   * changes is forgotten as it does. What `read` answers is kept once the transaction is committed.
   */
  async findInside<Found extends object>(
    key: string,
    read: () => Promise<Found | undefined>,
  ): Promise<Readonly<Found> | undefined> {
    const known = this.#staged.get(key) ?? this.#kept.get(key);
    if (known !== undefined) return known as Found;
    const changes = this.#changes;
    const found = await read();
    if (found !== undefined && this.#changes === changes) this.stage(key, found);
    return found;
  }

  /**
   * What the open transaction has under `key` by now: it is kept once that is committed, unless it changes
   * again.
   */
  stage(key: string, found: object): void {
    this.#staged.set(key, found);
  }

  /** The transaction is committed. */
  keepStaged(): void {
    for (const [key, found] of this.#staged) this.#keep(key, found);
    this.#staged.clear();
  }

  /** The transaction, or a part of it, was undone. */
  dropStaged(): void {
    this.#changes += 1;
    this.#staged.clear();
  }

  /** To be called for each row that a transaction touches, before it is committed. */
  forget(key: string): void {
    this.#changes += 1;
    this.#kept.delete(key);
    this.#staged.delete(key);
    const reading = this.#readings.get(key);
    if (reading === undefined) return;
    reading.isOld = true;
    this.#readings.delete(key);
  }

  forgetAll(): void {
    this.#changes += 1;
    this.#kept.clear();
    this.#staged.clear();
    for (const reading of this.#readings.values()) reading.isOld = true;
    this.#readings.clear();
  }

  #begin(key: string, read: () => Promise<object | undefined>): Reading {
    const reading: Reading = { found: read(), isOld: false };
    this.#readings.set(key, reading);
    const end = (found?: object) => {
      if (reading.isOld) return;
      this.#readings.delete(key);
      if (found !== undefined) this.#keep(key, found);
    };
    reading.found.then(end, () => end());
    return reading;
  }

  #keep(key: string, found: object): void {
    if (this.#kept.size >= maxKept) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    this.#kept.set(key, found);
  }
}
