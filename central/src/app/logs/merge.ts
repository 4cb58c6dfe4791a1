import { Arrivals } from "./arrivals.ts";

/** Merges two streams into one, each item when it arrives; ends when either ends, returning both. */
export async function* merge<Item>(
  left: AsyncIterable<Item>,
  right: AsyncIterable<Item>,
): AsyncIterable<Item> {
  const sources = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  const arrivals = new Arrivals<Item>();
  try {
    for (const source of sources) arrivals.ask(source);
    for (;;) {
      const { source, result } = await arrivals.next();
      if (result.done === true) return;
      arrivals.ask(source);
      yield result.value;
    }
  } finally {
    for (const source of sources) void source.return?.()?.catch(() => {});
  }
}
