import { createContext, useContext } from 'react';
import type { Workspace } from '../../contracts/admin/workspaces.ts';
import { useRights } from './rights.ts';

const WorkspaceContext = createContext<Workspace | undefined>(undefined);
export const WorkspaceProvider = WorkspaceContext.Provider;

export interface OpenWorkspace extends Workspace {
  /** Owners and operators: keys, members, webhooks, the plan. */
  readonly canManage: boolean;
}

/** The workspace that is open; for everything on a page of one. */
export function useWorkspace(): OpenWorkspace {
  const workspace = useContext(WorkspaceContext);
  const { owner: canManage } = useRights(workspace);
  if (!workspace) throw new Error('Only pages of a workspace have one.');
  return { ...workspace, canManage };
}
