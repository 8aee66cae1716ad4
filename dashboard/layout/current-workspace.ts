import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Workspace } from '../../contracts/admin/workspaces.ts';
import { admin } from '../admin.ts';
import { readLastWorkspace } from './last-workspace.ts';

/** For what stands around the page: the workspace of the address, else the one that was open last, once it is known. */
export function useCurrentWorkspace(): Workspace | undefined {
  const { workspaceId = readLastWorkspace() } = useParams();
  const options = admin.workspaces.get.queryOptions({ workspaceId: workspaceId ?? '' });
  return useQuery({ ...options, enabled: workspaceId !== undefined }).data;
}
