import { useQuery } from '@tanstack/react-query';
import { maxListLimit } from '../../../contracts/limits.ts';
import type { DeployVersion } from '../../../contracts/rest/schemas/versions.ts';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';

/** The newest hundred versions of a document. */
export function useNewestVersions(deployId: string): readonly DeployVersion[] {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(
    admin.versions.list.queryOptions({ workspaceId, deployId, limit: maxListLimit }),
  );
  return data?.items ?? [];
}

/** How a version is called; by its id where it is none of the newest. */
export function useVersionNames(deployId: string): (deployVersionId: string) => string {
  const versions = useNewestVersions(deployId);
  return (wanted) => versions.find(({ id }) => id === wanted)?.displayId ?? wanted;
}
