import { Button, Skeleton, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import { ErrorNotice } from './notice.tsx';

export interface Column<T> {
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /** Columns of numbers are aligned at the end. */
  readonly align?: 'end';
  /** Hidden on a phone. The page of the row or another column shows the value. */
  readonly wideOnly?: boolean;
  /** Shows the header only to screen readers, such as the header of a column of buttons. */
  readonly headerHidden?: boolean;
}

export interface TableRows<T> {
  /** Undefined while the first page loads. */
  readonly rows: readonly T[] | undefined;
  readonly error?: unknown;
  readonly retry?: () => unknown;
  /** Absent if there are no more rows. */
  readonly loadMore?: (() => unknown) | undefined;
  readonly isLoadingMore?: boolean;
  /** True if `error` is the error of `loadMore`. The table then shows it below the rows. */
  readonly isNextPageError?: boolean;
}

interface DataTableProps<T> extends TableRows<T> {
  /** Names the table for screen readers: `API keys`. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rowKey: (row: T) => string;
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
}

/** Shown while the first page of rows loads. */
const skeletonRowCount = 5;

/** A table with its loading state, its empty state, its error and its button for more rows. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { error, retry, rows, empty, isNextPageError } = props;
  return (
    <>
      {Boolean(error) && !isNextPageError && (
        <div className={classes.stale}>
          <ErrorNotice error={error} {...(retry && { retry })} />
        </div>
      )}
      {rows?.length === 0 ? empty : (rows || !error) && <FramedTable {...props} />}
    </>
  );
}

function FramedTable<T>(props: DataTableProps<T>) {
  const { caption, columns, rows, rowKey, error, loadMore, isLoadingMore, isNextPageError } = props;
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll sideways. */}
      <section className={classes.scroll} aria-label={caption} tabIndex={0}>
        <Table className={classes.table} aria-busy={!rows} highlightOnHover={Boolean(rows)}>
          <Table.Caption hidden>{caption}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.header} scope="col" {...attributesOf(column)}>
                  {column.headerHidden ? (
                    <VisuallyHidden>{column.header}</VisuallyHidden>
                  ) : (
                    column.header
                  )}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows
              ? rows.map((row) => (
                  <Table.Tr key={rowKey(row)}>
                    {columns.map((column) => (
                      <Table.Td key={column.header} {...attributesOf(column)}>
                        {column.cell(row)}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))
              : Array.from({ length: skeletonRowCount }, (_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: all skeleton rows are the same.
                  <Table.Tr key={index}>
                    {columns.map((column) => (
                      <Table.Td key={column.header} {...attributesOf(column)}>
                        <Skeleton h={12} my={4} w="70%" />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
          </Table.Tbody>
        </Table>
      </section>
      {loadMore && (
        <div className={classes.more}>
          {isNextPageError ? (
            <ErrorNotice error={error} retry={loadMore} />
          ) : (
            <Button
              variant="subtle"
              size="xs"
              loading={isLoadingMore ?? false}
              onClick={() => loadMore()}
            >
              Load more
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

const attributesOf = <T,>({ align, wideOnly }: Column<T>) => ({
  'data-align': align,
  'data-wide-only': wideOnly || undefined,
});

interface PagedQuery<T> {
  readonly data: { readonly pages: readonly { readonly items: readonly T[] }[] } | undefined;
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

/** Turns the result of `useInfiniteQuery` on a list with cursors into props of `DataTable`. */
export const rowsOfPages = <T,>(query: PagedQuery<T>): TableRows<T> => ({
  rows: query.data?.pages.flatMap(({ items }) => items),
  error: query.error,
  retry: query.refetch,
  loadMore: query.hasNextPage ? query.fetchNextPage : undefined,
  isLoadingMore: query.isFetchingNextPage,
  isNextPageError: query.isFetchNextPageError,
});

interface ListQuery<T> {
  readonly data: { readonly items: readonly T[] } | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Turns the result of `useQuery` on a list without cursors into props of `DataTable`. */
export const rowsOfList = <T,>({ data, error, refetch }: ListQuery<T>): TableRows<T> => ({
  rows: data?.items,
  error,
  retry: refetch,
});

/** Options for `infiniteQueryOptions` of every list of the admin router that has cursors. */
export const byCursor = {
  getNextPageParam: (page: { nextCursor?: string | undefined }) => page.nextCursor,
};
