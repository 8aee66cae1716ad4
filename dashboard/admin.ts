import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AdminRouter } from '../api/admin/router.ts';
import { type ErrorCode, errors } from '../contracts/errors.ts';
import { maxCallsPerRequest } from '../contracts/limits.ts';
import { adminPath } from '../contracts/processes/web-addresses.ts';

/**
 * The client of the admin router, the only API that the dashboard calls. Requests carry the session cookie because they go to
 * the same origin. Pages read by `admin` below; use this client for single calls, such as creating a link.
 */
export const client = createTRPCClient<AdminRouter>({
  links: [httpBatchLink({ url: adminPath, maxItems: maxCallsPerRequest })],
});

/** The catalogue code of an error of the admin router. Undefined for other errors, such as a call without an answer. */
export const errorCodeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof TRPCClientError ? (error.data?.error as ErrorCode | undefined) : undefined;

/**
 * True if the server answered 403 or 404: the thing does not exist, or the user may not see it. A page must then hide what it
 * had read before.
 */
export const isInaccessible = (error: unknown): boolean => {
  const code = errorCodeOf(error);
  return code !== undefined && [403, 404].includes(errors[code].status ?? 0);
};

/** Allows two retries of a query that the admin router did not answer. An answer with an error code is final. */
const isWorthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && errorCodeOf(error) === undefined;

/**
 * The query to refetch when another call fails with the code. `unauthorized`: the session has ended; the layout refetches the account
 * and shows the sign-in page. `workspace_not_found`: the user has lost access; the layout refetches the workspace and says so.
 */
const queriesToRefetch: Partial<Record<ErrorCode, () => readonly unknown[]>> = {
  unauthorized: () => admin.account.get.queryKey(),
  workspace_not_found: () => admin.workspaces.get.pathKey(),
};

function refetchAfterError(error: unknown, failedKey?: readonly unknown[]): void {
  const code = errorCodeOf(error);
  const queryKey = code && queriesToRefetch[code]?.();
  // If the failed query is the one to refetch, refetching it would loop.
  if (queryKey && String(failedKey?.[0]) !== String(queryKey[0]))
    void queryClient.invalidateQueries({ queryKey });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => refetchAfterError(error, queryKey),
  }),
  mutationCache: new MutationCache({ onError: (error) => refetchAfterError(error) }),
  defaultOptions: {
    // The service may run on this machine, so it can be reached even when the browser says that it is offline.
    queries: { retry: isWorthRetrying, staleTime: 5_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

/** Every admin procedure, as options for the hooks of TanStack Query. */
export const admin = createTRPCOptionsProxy<AdminRouter>({ client, queryClient });
