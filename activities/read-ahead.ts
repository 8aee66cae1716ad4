interface ReadAheadOptions<Item> {
  readonly sizeOf: (item: Item) => number;
  readonly fetch: (item: Item) => Promise<Buffer>;
  /** Fetched and not yet taken: at most so many, */
  readonly maxItems: number;
  /** and of so many bytes together, unless it is one alone. */
  readonly maxBytes: number;
}

/** What was fetched for each item, in their order; some are fetched ahead. An error is thrown when it is its item's turn. */
export async function* readAhead<Item>(
  items: readonly Item[],
  { sizeOf, fetch, maxItems, maxBytes }: ReadAheadOptions<Item>,
): AsyncGenerator<Buffer> {
  const ahead: { readonly fetched: Promise<Buffer>; readonly size: number }[] = [];
  let bytesAhead = 0;
  let next = 0;
  for (;;) {
    for (let item = items[next]; item !== undefined; item = items[++next]) {
      const size = sizeOf(item);
      if (ahead.length > 0 && (ahead.length >= maxItems || bytesAhead + size > maxBytes)) break;
      const fetched = fetch(item);
      // Until it is its turn its error is not an unhandled one.
      fetched.catch(() => {});
      ahead.push({ fetched, size });
      bytesAhead += size;
    }
    const first = ahead.shift();
    if (!first) return;
    yield await first.fetched;
    bytesAhead -= first.size;
  }
}
