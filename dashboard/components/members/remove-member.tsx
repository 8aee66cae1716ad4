import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Member } from '../../../contracts/admin/members.ts';
import { admin, queryClient } from '../../admin.ts';
import { useAccount } from '../../layout/account.tsx';
import { forgetLastWorkspace } from '../../layout/last-workspace.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ConfirmButton } from '../confirm-button.tsx';

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
