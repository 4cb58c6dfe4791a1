/**
 * Counts how long answers took in classes whose bounds grow by an eighth, so that each percentile is known
 * within 6 % and histograms merge without loss.
 */

/** Classes of {@link LatencyHistogram}: from a quarter of a millisecond to eleven minutes. */
const classes = 128;
const shortestMs = 0.25;
const classesPerDoubling = 6;

export class LatencyHistogram {
  readonly #counts = new Uint32Array(classes);

  add(durationMs: number): void {
    const index = classOf(durationMs);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  merge(other: LatencyHistogram): void {
    other.#counts.forEach((count, index) => this.#add(index, count));
  }

  /**
   * Returns the milliseconds that this share of the answers did not exceed, such as 0.95; null without any
   * answer.
   */
  quantile(share: number): number | null {
    const total = this.#counts.reduce((sum, count) => sum + count, 0);
    if (total === 0) return null;
    let left = Math.max(1, Math.ceil(share * total));
    const index = this.#counts.findIndex((count) => (left -= count) <= 0);
    return rounded(shortestMs * 2 ** ((index + 0.5) / classesPerDoubling));
  }

  /** Returns the classes that have a count, as text that {@link LatencyHistogram.decode} reads. */
  encode(): string {
    const counted = [...this.#counts].flatMap((count, index) => (count === 0 ? [] : [`${index}:${count}`]));
    return counted.join(" ");
  }

  /** Reads what {@link encode} wrote; what is not a class and a count is left out. */
  static decode(text: string): LatencyHistogram {
    const histogram = new LatencyHistogram();
    for (const pair of text.split(" ")) {
      const [index = -1, count = 0] = pair.split(":").map(Number);
      if (Number.isInteger(index) && index >= 0 && index < classes && Number.isInteger(count) && count > 0)
        histogram.#add(index, count);
    }
    return histogram;
  }

  #add(index: number, count: number): void {
    this.#counts[index] = Math.min(0xff_ff_ff_ff, (this.#counts[index] ?? 0) + count);
  }
}

function classOf(durationMs: number): number {
  if (!(durationMs > shortestMs)) return 0;
  return Math.min(classes - 1, Math.floor(Math.log2(durationMs / shortestMs) * classesPerDoubling));
}

/** Rounds to two digits that count: more would promise more than the classes know. */
function rounded(value: number): number {
  return Number(value.toPrecision(2));
}
