import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { z } from 'zod';

/** What the address of a page may say, read; what is not given is absent. */
type Filter<S extends z.ZodObject> = z.infer<S>;
type Changes<S extends z.ZodObject> = {
  readonly [K in keyof Filter<S>]?: string | number | undefined;
};

export interface FilterState<S extends z.ZodObject> {
  readonly filter: Filter<S>;
  /** Changes what is named; undefined and the empty text take it out. */
  readonly change: (changes: Changes<S>) => void;
  readonly clear: () => void;
  readonly isEmpty: boolean;
}

/**
 * Which rows a list shows is in its address, under the names of the list's own filter: it can be kept, sent and gone back to.
 * A value that the filter does not allow does not narrow.
 */
export function useFilter<S extends z.ZodObject>(schema: S): FilterState<S> {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readFilter(schema, params), [schema, params]);
  const change = useCallback(
    (changes: Changes<S>) =>
      setParams(
        (current) => {
          const next = new URLSearchParams(current);
          for (const [name, value] of Object.entries(changes))
            if (value === undefined || value === '') next.delete(name);
            else next.set(name, String(value));
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  const clear = useCallback(() => setParams({}, { replace: true }), [setParams]);
  return { filter, change, clear, isEmpty: Object.keys(filter).length === 0 };
}

/** In an address everything is text: a field that does not take it as such is a number. */
function readFilter<S extends z.ZodObject>(schema: S, params: URLSearchParams): Filter<S> {
  const given = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(
    ([name, field]) => {
      const text = params.get(name);
      if (!text) return [];
      const asText = field.safeParse(text);
      const read = asText.success ? asText : field.safeParse(Number(text));
      return read.success ? [[name, read.data] as const] : [];
    },
  );
  return Object.fromEntries(given) as Filter<S>;
}
