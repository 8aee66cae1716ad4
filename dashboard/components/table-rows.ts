import type { TableRows } from './data-table.tsx';

interface PagedQuery<T> {
  readonly data: { readonly pages: readonly { readonly items: readonly T[] }[] } | undefined;
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

/** What a `DataTable` needs of `useInfiniteQuery` on a list with cursors. */
export const rowsOfPages = <T>(query: PagedQuery<T>): TableRows<T> => ({
  rows: query.data?.pages.flatMap(({ items }) => items),
  error: query.error,
  retry: query.refetch,
  loadMore: query.hasNextPage ? query.fetchNextPage : undefined,
  isLoadingMore: query.isFetchingNextPage,
  isMoreMissing: query.isFetchNextPageError,
});

interface ListQuery<T> {
  readonly data: { readonly items: readonly T[] } | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** What a `DataTable` needs of `useQuery` on a list that comes whole. */
export const rowsOfList = <T>({ data, error, refetch }: ListQuery<T>): TableRows<T> => ({
  rows: data?.items,
  error,
  retry: refetch,
});

/** For `infiniteQueryOptions` of every list of the admin router. */
export const byCursor = {
  getNextPageParam: (page: { nextCursor?: string | undefined }) => page.nextCursor,
};
