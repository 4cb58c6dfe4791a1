/**
 * Many streams as one, each item when it comes; ends when all have. A few are open at a time, the others wait their turn, and no item is
 * taken from a stream before the one before it was read. When the reader leaves, all are returned.
 */
export async function* mergeAll<Item>(streams: readonly (() => AsyncIterable<Item>)[], atOnce: number): AsyncGenerator<Item> {
  const waiting = new Map<AsyncIterator<Item>, Promise<{ source: AsyncIterator<Item>; result: IteratorResult<Item> }>>();
  const queue = [...streams];
  const ask = (source: AsyncIterator<Item>) => {
    waiting.set(
      source,
      source.next().then((result) => ({ source, result })),
    );
  };
  const openNext = () => {
    const open = queue.shift();
    if (open !== undefined) ask(open()[Symbol.asyncIterator]());
  };
  try {
    while (waiting.size < atOnce && queue.length > 0) openNext();
    while (waiting.size > 0) {
      const { source, result } = await Promise.race(waiting.values());
      if (result.done === true) {
        waiting.delete(source);
        openNext();
      } else {
        yield result.value;
        ask(source);
      }
    }
  } finally {
    for (const [source, pending] of waiting) {
      pending.catch(() => {});
      void source.return?.()?.catch(() => {});
    }
  }
}
