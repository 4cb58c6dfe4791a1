/**
 * Holds measured values of one thing, and takes those of several things in turn, so that a slow moment of the
 * machine affects them all.
 */

export class Sample {
  readonly values: readonly number[];
  readonly #sorted: readonly number[];

  constructor(values: readonly number[]) {
    if (values.length === 0) throw new Error("a sample needs a value");
    this.values = values;
    this.#sorted = values.toSorted((a, b) => a - b);
  }

  get median(): number {
    return this.quantile(0.5);
  }

  get min(): number {
    return this.quantile(0);
  }

  get max(): number {
    return this.quantile(1);
  }

  get size(): number {
    return this.#sorted.length;
  }

  quantile(share: number): number {
    const value = this.#sorted[Math.min(this.#sorted.length - 1, Math.floor(share * this.#sorted.length))];
    if (value === undefined) throw new Error("not a quantile");
    return value;
  }

  toJSON(): { median: number; min: number; max: number; size: number } {
    const { median, min, max, size } = this;
    return { median, min, max, size };
  }
}

/** Each round measures every variant once, in their order (ABAB…); the first rounds only warm up. */
export async function interleave<Name extends string>(
  variants: Record<Name, () => Promise<number>>,
  { rounds, warmUps }: { rounds: number; warmUps: number },
): Promise<Record<Name, Sample>> {
  const entries = Object.entries(variants) as [Name, () => Promise<number>][];
  const values = new Map<Name, number[]>(entries.map(([name]) => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, measure] of entries) {
      const value = await measure();
      if (round >= 0) values.get(name)?.push(value);
    }
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, new Sample(list)])) as Record<
    Name,
    Sample
  >;
}
