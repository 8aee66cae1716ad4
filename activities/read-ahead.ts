interface ReadAheadOptions<Item> {
  readonly sizeOf: (item: Item) => number;
  readonly fetch: (item: Item) => Promise<Buffer>;
  /** The maximum number of items that are fetched and not yet consumed. */
  readonly maxItems: number;
  /** The maximum size together of the items that are fetched and not yet consumed. A larger item is fetched alone. */
  readonly maxBytes: number;
}

/**
 * Yields the result of `fetch` for each item, in order, and fetches the next items ahead. An error of `fetch` is thrown when
 * the turn of its item comes.
 */
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
      // The error of a fetch is thrown below, when its turn comes. Without this line it would be an unhandled rejection until then.
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
