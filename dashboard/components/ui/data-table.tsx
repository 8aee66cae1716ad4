import { Button, Skeleton, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import { ErrorNotice } from './notice.tsx';

export interface Column<T> {
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /** Numbers end where their column ends. */
  readonly align?: 'end';
  /** Left out on a phone, where the page of the row has it. */
  readonly wideOnly?: boolean;
  /** The header is read out but not shown, as above buttons. */
  readonly headerHidden?: boolean;
}

export interface TableRows<T> {
  /** Undefined while the first page is on its way. */
  readonly rows: readonly T[] | undefined;
  readonly error?: unknown;
  readonly retry?: () => unknown;
  /** Absent where there are no more. */
  readonly loadMore?: (() => unknown) | undefined;
  readonly isLoadingMore?: boolean;
  /** The error is of the next page, and is said where that would be. */
  readonly isMoreMissing?: boolean;
}

interface DataTableProps<T> extends TableRows<T> {
  /** What the table has, for whoever cannot see it: `API keys`. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rowKey: (row: T) => string;
  /** In place of a table without rows. */
  readonly empty: ReactNode;
}

/** Rows that a skeleton holds the place of. */
const skeletonRows = 5;

/** Rows of one kind, with everything that a list has besides them: loading, none, an error, more. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { error, retry, rows, empty, isMoreMissing } = props;
  return (
    <>
      {Boolean(error) && !isMoreMissing && (
        <div className={classes.stale}>
          <ErrorNotice error={error} {...(retry && { retry })} />
        </div>
      )}
      {rows?.length === 0 ? empty : (rows || !error) && <Rows {...props} />}
    </>
  );
}

function Rows<T>(props: DataTableProps<T>) {
  const { caption, columns, rows, rowKey, error, loadMore, isLoadingMore, isMoreMissing } = props;
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by the keyboard too. */}
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
              : Array.from({ length: skeletonRows }, (_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
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
          {isMoreMissing ? (
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

/** What a `DataTable` needs of `useInfiniteQuery` on a list with cursors. */
export const rowsOfPages = <T,>(query: PagedQuery<T>): TableRows<T> => ({
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
export const rowsOfList = <T,>({ data, error, refetch }: ListQuery<T>): TableRows<T> => ({
  rows: data?.items,
  error,
  retry: refetch,
});

/** For `infiniteQueryOptions` of every list of the admin router. */
export const byCursor = {
  getNextPageParam: (page: { nextCursor?: string | undefined }) => page.nextCursor,
};
