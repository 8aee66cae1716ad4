import type { Workspace } from '../../contracts/admin/workspaces.ts';
import { useAccount } from './account.tsx';

/** What whoever has signed in is, by the words of a page's `seenBy`: in this workspace, where there is one. */
export function useRights(workspace: Workspace | undefined) {
  const { operator } = useAccount();
  return { member: true, owner: operator || workspace?.role === 'owner', operator };
}
