import { useQuery } from '@tanstack/react-query';
import { maxListLimit } from '../../../contracts/limits.ts';
import type { DeploySummary, DeployType } from '../../../contracts/rest/schemas/deploys.ts';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';

export const documentTypeLabels = {
  managed: 'Uploaded',
  url: 'Hosted page',
} as const satisfies Record<DeployType, string>;

export interface Documents {
  readonly items: readonly DeploySummary[];
  /** Undefined if the document was deleted, is not among the newest hundred, or is not loaded yet. */
  readonly nameOf: (deploy: { readonly deployId: string }) => string | undefined;
}

/** The newest hundred documents of the workspace, to choose one or to show its name. */
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
