import { NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Member, MemberRole } from '../../../contracts/schemas/people.ts';
import { admin, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { notifyFailure } from '../notify-failure.ts';
import { roleChoices, roleLabel } from './roles.ts';

/** Changes at once; what is refused, such as a workspace without an owner, is said and changed back. */
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
  return (
    <NativeSelect
      size="xs"
      w={110}
      aria-label={`Role of ${name}`}
      data={roleChoices}
      value={change.isPending ? change.variables.role : role}
      disabled={change.isPending}
      onChange={({ currentTarget }) =>
        change.mutate({ workspaceId, userId, role: currentTarget.value as MemberRole })
      }
    />
  );
}
