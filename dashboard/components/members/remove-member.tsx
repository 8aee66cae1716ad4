import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Member } from '../../../contracts/schemas/people.ts';
import { admin, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';

export function RemoveMember({ member: { userId, name } }: { member: Member }) {
  const { id: workspaceId, name: workspaceName } = useWorkspace();
  const [opened, dialog] = useDisclosure();
  const remove = useMutation(
    admin.members.remove.mutationOptions({
      onSuccess: async () => {
        notifications.show({ message: `${name} is removed.` });
        await queryClient.invalidateQueries();
      },
    }),
  );
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        color="red"
        onClick={dialog.open}
        aria-label={`Remove ${name}`}
      >
        Remove
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        title={`Remove ${name}?`}
        confirmLabel="Remove"
        onConfirm={() => remove.mutate({ workspaceId, userId })}
        isPending={remove.isPending}
        error={remove.error}
      >
        <Text>
          {name} no longer sees {workspaceName}. Keys that {name} has made go on working.
        </Text>
      </ConfirmDialog>
    </>
  );
}
