import { useQuery } from '@tanstack/react-query';
import { maxListLimit } from '../../../contracts/limits.ts';
import type { DeploySummary } from '../../../contracts/rest/schemas/deploys.ts';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';

export interface Documents {
  readonly items: readonly DeploySummary[];
  /** Undefined for one that was deleted, or that is not among the newest hundred. */
  readonly nameOf: (deploy: { readonly deployId: string }) => string | undefined;
}

/** The workspace's documents, to choose from and to name others' rows by: the newest hundred. */
export function useDocuments(): Documents {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(
    admin.deploys.list.queryOptions({ workspaceId, limit: maxListLimit }, { staleTime: 60_000 }),
  );
  const items = data?.items ?? [];
  return {
    items,
    nameOf: ({ deployId }) => items.find(({ id }) => id === deployId)?.name,
  };
}
