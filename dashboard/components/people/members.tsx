import { NativeSelect, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Member, MemberRole } from '../../../contracts/admin/members.ts';
import { admin, queryClient } from '../../admin.ts';
import { forgetLastWorkspace, useAccount, useWorkspace } from '../../session.tsx';
import { ConfirmButton, ConfirmDialog } from '../ui/buttons.tsx';
import { DataTable, rowsOfList } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { notifyFailure } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/text.tsx';
import { roleChoices, roleLabel } from './roles.ts';

/** The members of the workspace and their roles. */
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
        <EmptyState title="No members yet">
          Programs use the workspace by API key. Invite its first owner.
        </EmptyState>
      }
    />
  );
}

/**
 * Changes the role of a member. Asks for confirmation before an owner becomes a member, because one key press in the select is
 * enough to do that. If the server refuses, such as for the last owner, the select shows the old role again.
 */
function MemberRoleSelect({ member: { userId, name, role } }: { member: Member }) {
  const { id: workspaceId } = useWorkspace();
  const change = useMutation(
    admin.members.changeRole.mutationOptions({
      onSuccess: (_, input) =>
        notifications.show({ message: `${name} is now: ${roleLabel[input.role]}.` }),
      onError: notifyFailure,
      // All queries, because the user's own role may have changed.
      onSettled: () => queryClient.invalidateQueries(),
    }),
  );
  const [isConfirming, { open, close }] = useDisclosure();
  const changeTo = (next: MemberRole) => change.mutate({ workspaceId, userId, role: next });
  const choose = (next: MemberRole) => {
    // The select is not disabled during the change, because it would lose the focus.
    if (change.isPending) return;
    if (role === 'owner') open();
    else changeTo(next);
  };
  return (
    <>
      <NativeSelect
        size="xs"
        w={110}
        aria-label={`Role of ${name}`}
        data={roleChoices}
        value={change.isPending ? change.variables.role : role}
        onChange={({ currentTarget }) => choose(currentTarget.value as MemberRole)}
      />
      <ConfirmDialog
        opened={isConfirming}
        onClose={close}
        title={`Make ${name} a member?`}
        confirmLabel="Make a member"
        isPending={false}
        onConfirm={() => {
          close();
          changeTo('member');
        }}
      >
        {name} will no longer manage keys, members, webhooks and the plan.
      </ConfirmDialog>
    </>
  );
}

function RemoveMember({ member: { userId, name } }: { member: Member }) {
  const { id: workspaceId, name: workspaceName } = useWorkspace();
  const { id: ownId } = useAccount();
  const navigate = useNavigate();
  const remove = useMutation(
    admin.members.remove.mutationOptions({
      onSuccess: async () => {
        notifications.show({ message: `${name} is removed.` });
        if (userId === ownId) {
          forgetLastWorkspace();
          queryClient.removeQueries({ queryKey: admin.workspaces.list.pathKey() });
          await navigate('/');
        }
        await queryClient.invalidateQueries();
      },
    }),
  );
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove ${name}?`}
      mutation={remove}
      variables={{ workspaceId, userId }}
      size="compact-xs"
      variant="subtle"
      color="red"
      aria-label={`Remove ${name}`}
    >
      <Text>
        {name} loses access to {workspaceName}. Keys that {name} created keep working.
      </Text>
    </ConfirmButton>
  );
}
