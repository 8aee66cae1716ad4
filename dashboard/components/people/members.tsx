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

/**
 * Changes at once, but asks before it takes from an owner what one key may take by mistake; what is refused, such as a
 * workspace without an owner, is said and changed back.
 */
export function MemberRoleSelect({ member: { userId, name, role } }: { member: Member }) {
  const { id: workspaceId } = useWorkspace();
  const change = useMutation(
    admin.members.changeRole.mutationOptions({
      onSuccess: (_, given) =>
        notifications.show({ message: `${name} is now: ${roleLabel[given.role]}.` }),
      onError: notifyFailure,
      // Also one's own role, and with it what the page shows.
      onSettled: () => queryClient.invalidateQueries(),
    }),
  );
  const [asking, { open, close }] = useDisclosure();
  const changeTo = (next: MemberRole) => change.mutate({ workspaceId, userId, role: next });
  const choose = (next: MemberRole) => {
    // Not disabled meanwhile: that would take the focus away.
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
        opened={asking}
        onClose={close}
        title={`Make ${name} a member?`}
        confirmLabel="Make a member"
        isPending={false}
        onConfirm={() => {
          close();
          changeTo('member');
        }}
      >
        {name} no longer manages keys, members, webhooks and the plan.
      </ConfirmDialog>
    </>
  );
}

export function RemoveMember({ member: { userId, name } }: { member: Member }) {
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
        {name} no longer sees {workspaceName}. Keys that {name} has made go on working.
      </Text>
    </ConfirmButton>
  );
}
