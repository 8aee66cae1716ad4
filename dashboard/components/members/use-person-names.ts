import { useQuery } from '@tanstack/react-query';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';

/** Names the people of the workspace by their ids; what else acted, such as `npm start`, names itself. */
export function usePersonNames(): (actor: string | undefined) => string {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(admin.members.list.queryOptions({ workspaceId }));
  const names = new Map(data?.items.map(({ userId, name }) => [userId, name]));
  return (actor) => (actor === undefined ? 'Not known' : (names.get(actor) ?? actor));
}
