import { createContext, useContext } from 'react';
import type { Workspace } from '../../contracts/schemas/people.ts';
import { useAccount } from './account.tsx';

const WorkspaceContext = createContext<Workspace | undefined>(undefined);
export const WorkspaceProvider = WorkspaceContext.Provider;

export interface OpenWorkspace extends Workspace {
  /** Owners and operators: keys, members, webhooks, the plan. */
  readonly canManage: boolean;
}

/** True for operators, and for owners of the workspace that is open. */
export function useMayManage(): boolean {
  const workspace = useContext(WorkspaceContext);
  const { operator } = useAccount();
  return operator || workspace?.role === 'owner';
}

/** The workspace that is open; for everything on a page of one. */
export function useWorkspace(): OpenWorkspace {
  const workspace = useContext(WorkspaceContext);
  const canManage = useMayManage();
  if (!workspace) throw new Error('Only pages of a workspace have one.');
  return { ...workspace, canManage };
}
