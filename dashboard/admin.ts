import { QueryCache, QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AdminRouter } from '../api/admin/router.ts';
import type { ErrorCode } from '../contracts/errors.ts';
import { maxCallsPerRequest } from '../contracts/limits.ts';
import { adminPath } from '../contracts/pages.ts';

/** The admin router, the only door of this page. The session's cookie goes along: it is of the same origin. */

/** For calls that are no query of a page, such as making a link. */
export const client = createTRPCClient<AdminRouter>({
  links: [httpBatchLink({ url: adminPath, maxItems: maxCallsPerRequest })],
});

/** What a procedure was refused with: a row of the catalogue of errors; undefined where no answer came. */
export const errorCodeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof TRPCClientError ? (error.data?.error as ErrorCode | undefined) : undefined;

/** What a refusal says stays said; only what failed on the way is tried again. */
const isWorthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && errorCodeOf(error) === undefined;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // A session that ended while the page was open: asked again who is signed in, the layout shows the page to sign in.
    onError: (error, { queryKey }) => {
      const accountKey = admin.account.get.queryKey();
      if (errorCodeOf(error) === 'unauthorized' && String(queryKey[0]) !== String(accountKey[0]))
        void queryClient.invalidateQueries({ queryKey: accountKey });
    },
  }),
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 5_000 } },
});

/** Every procedure, as options for TanStack Query's hooks. */
export const admin = createTRPCOptionsProxy<AdminRouter>({ client, queryClient });
