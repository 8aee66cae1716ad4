import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AdminRouter } from '../api/admin/router.ts';
import { type ErrorCode, errors } from '../contracts/errors.ts';
import { maxCallsPerRequest } from '../contracts/limits.ts';
import { adminPath } from '../contracts/processes/web-addresses.ts';

/** The admin router, the only door of this page. The session's cookie goes along: it is of the same origin. */

/** For calls that are no query of a page, such as making a link. */
export const client = createTRPCClient<AdminRouter>({
  links: [httpBatchLink({ url: adminPath, maxItems: maxCallsPerRequest })],
});

/** What a procedure was refused with: a row of the catalogue of errors; undefined where no answer came. */
export const errorCodeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof TRPCClientError ? (error.data?.error as ErrorCode | undefined) : undefined;

/** What is not, or is no more, for whoever asks: what was read of it before is not theirs to see either. */
export const isWithheld = (error: unknown): boolean => {
  const code = errorCodeOf(error);
  return code !== undefined && [403, 404].includes(errors[code].status ?? 0);
};

/** What a refusal says stays said; only what failed on the way is tried again. */
const isWorthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && errorCodeOf(error) === undefined;

/**
 * What else a refusal says of the open page. A session that ended: asked again who is signed in, the layout shows the page to
 * sign in. A workspace that is closed to its reader by now: asked for again, the layout says so.
 */
const askedAgain: Partial<Record<ErrorCode, () => readonly unknown[]>> = {
  unauthorized: () => admin.account.get.queryKey(),
  workspace_not_found: () => admin.workspaces.get.pathKey(),
};

function checkStanding(error: unknown, asked?: readonly unknown[]): void {
  const code = errorCodeOf(error);
  const queryKey = code && askedAgain[code]?.();
  // Its own refusal has nothing to add.
  if (queryKey && String(asked?.[0]) !== String(queryKey[0]))
    void queryClient.invalidateQueries({ queryKey });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => checkStanding(error, queryKey) }),
  mutationCache: new MutationCache({ onError: (error) => checkStanding(error) }),
  defaultOptions: {
    // The service may run on this very machine: that a browser holds itself to be offline says nothing of it.
    queries: { retry: isWorthRetrying, staleTime: 5_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

/** Every procedure, as options for TanStack Query's hooks. */
export const admin = createTRPCOptionsProxy<AdminRouter>({ client, queryClient });
