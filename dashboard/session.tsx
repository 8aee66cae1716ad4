import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useParams } from 'react-router';
import type { Account } from '../contracts/admin/people.ts';
import type { Workspace } from '../contracts/admin/workspaces.ts';
import { admin } from './admin.ts';

/** The context of every page: who has signed in, which workspace is open, and what the user may do there. */

/** The key in local storage of the workspace that was open last. The dashboard opens it again next time. */
const lastWorkspaceKey = 'last-workspace';

export const readLastWorkspace = (): string | undefined =>
  localStorage.getItem(lastWorkspaceKey) ?? undefined;
export const writeLastWorkspace = (workspaceId: string): void =>
  localStorage.setItem(lastWorkspaceKey, workspaceId);
export const forgetLastWorkspace = (): void => localStorage.removeItem(lastWorkspaceKey);

const AccountContext = createContext<Account | undefined>(undefined);
export const AccountProvider = AccountContext.Provider;

/** The account of the signed-in user. For components inside the shell. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (!account) throw new Error('useAccount() works only inside the shell.');
  return account;
}

/**
 * For each value of `Page.visibleTo`: true if the user may see such pages. `member` is always true, because the workspace itself does
 * not load for other users. `workspace` is the open one, if any.
 */
export function useRights(workspace: Workspace | undefined) {
  const { operator } = useAccount();
  return { member: true, owner: operator || workspace?.role === 'owner', operator };
}

const WorkspaceContext = createContext<Workspace | undefined>(undefined);
export const WorkspaceProvider = WorkspaceContext.Provider;

export interface OpenWorkspace extends Workspace {
  /** True for owners and operators, who manage keys, members, webhooks and the plan. */
  readonly canManage: boolean;
}

/** The open workspace. For components on a page of a workspace. */
export function useWorkspace(): OpenWorkspace {
  const workspace = useContext(WorkspaceContext);
  const { owner: canManage } = useRights(workspace);
  if (!workspace) throw new Error('useWorkspace() works only on pages of a workspace.');
  return { ...workspace, canManage };
}

/**
 * The workspace in the address, else the one that was open last. Undefined if there is none, or until it is read. For the
 * navigation, which is also shown around pages without a workspace.
 */
export function useCurrentWorkspace(): Workspace | undefined {
  const { workspaceId = readLastWorkspace() } = useParams();
  const options = admin.workspaces.get.queryOptions({ workspaceId: workspaceId ?? '' });
  return useQuery({ ...options, enabled: workspaceId !== undefined }).data;
}
