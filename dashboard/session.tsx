import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useParams } from 'react-router';
import type { Account } from '../contracts/admin/people.ts';
import type { Workspace } from '../contracts/admin/workspaces.ts';
import { admin } from './admin.ts';

/** Which workspace was open last: the one to open next time. */

const lastWorkspaceKey = 'last-workspace';

export const readLastWorkspace = (): string | undefined =>
  localStorage.getItem(lastWorkspaceKey) ?? undefined;
export const writeLastWorkspace = (workspaceId: string): void =>
  localStorage.setItem(lastWorkspaceKey, workspaceId);
export const forgetLastWorkspace = (): void => localStorage.removeItem(lastWorkspaceKey);

const AccountContext = createContext<Account | undefined>(undefined);
export const AccountProvider = AccountContext.Provider;

/** Whoever has signed in; for everything below the shell. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (!account) throw new Error('Only pages inside the shell have an account.');
  return account;
}

/** What whoever has signed in is, by the words of a page's `seenBy`: in this workspace, where there is one. */
export function useRights(workspace: Workspace | undefined) {
  const { operator } = useAccount();
  return { member: true, owner: operator || workspace?.role === 'owner', operator };
}

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

/** For what stands around the page: the workspace of the address, else the one that was open last, once it is known. */
export function useCurrentWorkspace(): Workspace | undefined {
  const { workspaceId = readLastWorkspace() } = useParams();
  const options = admin.workspaces.get.queryOptions({ workspaceId: workspaceId ?? '' });
  return useQuery({ ...options, enabled: workspaceId !== undefined }).data;
}
