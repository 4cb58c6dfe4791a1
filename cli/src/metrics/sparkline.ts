/** Draws a series of numbers as one line of blocks, with its gaps. */

const blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const gap = "·";

/** Draws from 0 to the greatest value; null is a gap. A line of zeros stays at the bottom. */
export function sparkline(values: readonly (number | null)[]): string {
  const greatest = Math.max(0, ...values.filter((value) => value !== null));
  return values
    .map((value) => {
      if (value === null) return gap;
      const height = greatest === 0 ? 0 : Math.round((value / greatest) * (blocks.length - 1));
      return blocks[height] ?? blocks[0];
    })
    .join("");
}
