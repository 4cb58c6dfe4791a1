/** What requests ask for over and over, kept until the next commit; so an answer is never older than the last change that was acknowledged. */

/** As many answers are kept at most; then all are forgotten. */
const maxKept = 10_000;

/** Of one database, of which this process is the only writer. */
export class RecentReads {
  readonly #kept = new Map<string, object>();
  #commits = 0;

  /** Answers what was read under `key` since the last commit, or reads it. What is missing is not remembered. */
  async find<Found extends object>(key: string, read: () => Promise<Found | undefined>): Promise<Readonly<Found> | undefined> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept as Found;
    const commits = this.#commits;
    const found = await read();
    // What was read before a commit that came meanwhile may be old.
    if (found !== undefined && commits === this.#commits) this.#keep(key, found);
    return found;
  }

  /** To be called after each transaction, before its caller hears of it. */
  forget(): void {
    this.#commits++;
    this.#kept.clear();
  }

  #keep(key: string, found: object): void {
    if (this.#kept.size >= maxKept) this.#kept.clear();
    this.#kept.set(key, found);
  }
}
