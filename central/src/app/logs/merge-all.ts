import { Arrivals } from "./arrivals.ts";

/**
 * Merges many streams into one, each item when it arrives; ends when all have. A few are open at a time, the
 * others wait their turn, and no item is taken from a stream before the one before it was read. When the
 * reader leaves, all are returned.
 */
export async function* mergeAll<Item>(
  streams: readonly (() => AsyncIterable<Item>)[],
  atOnce: number,
): AsyncGenerator<Item> {
  const open = new Set<AsyncIterator<Item>>();
  const arrivals = new Arrivals<Item>();
  const queue = [...streams];
  const openNext = () => {
    const source = queue.shift()?.()[Symbol.asyncIterator]();
    if (source === undefined) return;
    open.add(source);
    arrivals.ask(source);
  };
  try {
    while (open.size < atOnce && queue.length > 0) openNext();
    while (open.size > 0) {
      const { source, result } = await arrivals.next();
      if (result.done === true) {
        open.delete(source);
        openNext();
      } else {
        yield result.value;
        arrivals.ask(source);
      }
    }
  } finally {
    for (const source of open) void source.return?.()?.catch(() => {});
  }
}
