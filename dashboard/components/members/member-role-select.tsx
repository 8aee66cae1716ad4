import { NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Member, MemberRole } from '../../../contracts/admin/members.ts';
import { admin, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { notifyFailure } from '../notify-failure.ts';
import { roleChoices, roleLabel } from './roles.ts';

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
