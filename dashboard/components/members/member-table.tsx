import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { admin } from '../../admin.ts';
import { useAccount } from '../../layout/account.tsx';
import { useWorkspace } from '../../layout/workspace.tsx';
import { DataTable } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { rowsOfList } from '../table-rows.ts';
import { MemberRoleSelect } from './member-role-select.tsx';
import { RemoveMember } from './remove-member.tsx';
import { roleLabel } from './roles.ts';

/** Who is in the workspace, and as what. */
export function MemberTable() {
  const { id: workspaceId, canManage } = useWorkspace();
  const { id: ownId } = useAccount();
  const members = useQuery(admin.members.list.queryOptions({ workspaceId }));
  return (
    <DataTable
      caption="Members"
      {...rowsOfList(members)}
      rowKey={({ userId }) => userId}
      columns={[
        {
          header: 'Name',
          cell: ({ userId, name, email }) => (
            <>
              <strong>{name}</strong>
              {userId === ownId && ' (you)'}
              <Text size="xs" c="dimmed" data-breaks>
                {email}
              </Text>
            </>
          ),
        },
        {
          header: 'Role',
          cell: (member) =>
            canManage ? <MemberRoleSelect member={member} /> : roleLabel[member.role],
        },
        {
          header: 'Since',
          wideOnly: true,
          cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
        {
          header: 'Actions',
          headerHidden: true,
          align: 'end',
          cell: (member) => canManage && <RemoveMember member={member} />,
        },
      ]}
      empty={
        <EmptyState title="Nobody is in this workspace">
          Programs use it by its keys. Invite its first owner.
        </EmptyState>
      }
    />
  );
}
