/** Two streams as one, each item when it comes; ends when either ends, and both are returned then. */
export async function* merge<Item>(left: AsyncIterable<Item>, right: AsyncIterable<Item>): AsyncIterable<Item> {
  const sources = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  const next = (source: AsyncIterator<Item>) => source.next().then((result) => ({ source, result }));
  const waiting = new Map(sources.map((source) => [source, next(source)]));
  try {
    for (;;) {
      const { source, result } = await Promise.race(waiting.values());
      if (result.done === true) return;
      waiting.set(source, next(source));
      yield result.value;
    }
  } finally {
    for (const pending of waiting.values()) pending.catch(() => {});
    for (const source of sources) void source.return?.()?.catch(() => {});
  }
}
